import { describe, expect, test } from 'vitest'
import { createWorld } from './world.ts'
import { judgedSentences, mean, measure, PRODUCTS } from './measure.ts'

const SENTENCES = 160
const NDCG_MIN = 0.95
const FORM_NDCG_MIN = 0.85
const ANSWERED_MIN = 0.95

describe('the judged sentences', () => {
  const world = createWorld(PRODUCTS)
  const all = judgedSentences(SENTENCES).map((sentence) => measure(world, sentence))
  const answered = all.filter(({ ndcg }) => ndcg !== null)
  const total = mean(answered.map(({ ndcg }) => ndcg))

  test('are all different, and nearly all have an answer', () => {
    expect(new Set(all.map(({ sentence }) => sentence.say)).size).toBe(SENTENCES)
    expect(answered.length).toBeGreaterThanOrEqual(SENTENCES * ANSWERED_MIN)
  })

  test(`are ranked with a mean nDCG@10 of at least ${NDCG_MIN}`, () => {
    expect(total).toBeGreaterThanOrEqual(NDCG_MIN)
    expect(total).toBeGreaterThan(mean(answered.map(({ before }) => before)) + 0.05)
  })

  test.each([...new Set(all.map(({ sentence }) => sentence.form))])(
    `with %s are ranked with at least ${FORM_NDCG_MIN}`, (form) => {
      const some = answered.filter(({ sentence }) => sentence.form === form)
      expect(mean(some.map(({ ndcg }) => ndcg))).toBeGreaterThanOrEqual(FORM_NDCG_MIN)
    })

  test('never have a product twice in their answer, though four sources sell it', () => {
    const twice = all.filter(({ repeated }) => repeated > 0)
    expect(twice.map(({ sentence }) => sentence.say)).toEqual([])
  })
})
