/** Goods that have a name of their own for those whom they are for: 给狗买点零食 wants 狗零食. */
import type { Audience } from '../../goods/taxonomy.ts'
import { audiencesSaid } from '../audience.ts'
import { getLexicon, keyOf, NAMED, type Sense } from '../lexicon.ts'
import { animalsIn, type Owner, thingsIn } from './animals.ts'
import { CLAUSE_END } from './background.ts'
import { overlaps } from './claims.ts'
import type { Name } from './names.ts'
import { list } from './words.ts'

/** What stands before the name of such goods, the commonest first; Latin words with their space. */
const BEFORE: Readonly<Partial<Record<Audience, readonly string[]>>> = {
  dog: list('狗|狗狗|宠物|dog|pet'), cat: list('猫|猫咪|宠物|cat|pet'),
  kids: list('儿童|小孩|宝宝|kids|children'), boys: list('男童|儿童|boys|kids'),
  girls: list('女童|儿童|girls|kids'), baby: list('婴儿|宝宝|儿童|baby|kids'),
  elderly: list('老人|老年|老年人|senior'), pregnant: list('孕妇|maternity'),
}
const LATIN = /^[a-z]/
/** What the name alone says is worth so much beside it. */
const ALONE = 0.6
const GIVES = /(?:给|为|帮|替)(?:我们?家?|咱们?家?|俺家?|家里?|自家|小)?的?$/
/** 给它买件衣服: to the animal that was told of. */
const TO_IT = /(?:给|为|帮|替)(?:它|他|她|牠)们?[^;,.。!?]{0,6}$/
const USES = /^(?:可以|能|要)?[用穿吃喝睡玩骑戴]的/
const FOR = /^ for (?:[a-z0-9-]+ ){0,3}$/
const NEAR = 8

/**
 * Each name as it is called for those whom the goods are for, and things of an animal. In `left`
 * what was read before is masked.
 */
export function namedForThem(
  text: string, names: readonly Name[], left: string,
): readonly Name[] {
  const people = audiencesSaid(text).flatMap(({ audience, start, end }): Owner[] => {
    const words = BEFORE[audience]
    return words ? [{ start, end, words, isKept: false }] : []
  })
  const animals = animalsIn(text, names)
  if (people.length + animals.length === 0) return names
  const owners = [...animals, ...people]
  const named = names.map((name) => {
    const owner = owners.find((one) => isFor(text, name, one))
    const senses = owner && sensesFor(name, owner)
    return senses ? { ...name, senses } : name
  })
  const things = animals.length === 0 ? [] : thingsIn(left)
    .filter((thing) => !names.some((name) => overlaps(name, thing)))
    .flatMap(({ start, end, noun }): Name[] => {
      const name = { start, end, key: noun, senses: [] }
      const owner = animals.find((one) => isFor(text, name, one))
      const senses = owner && sensesFor(name, owner)
      return senses ? [{ ...name, senses }] : []
    })
  return things.length === 0 ? named
    : [...named, ...things].sort((one, other) => one.start - other.start)
}

function isFor(text: string, name: Name, { start, end, isKept }: Owner): boolean {
  if (isKept && name.start >= end) return true
  if (LATIN.test(name.key)) return name.end < start && FOR.test(text.slice(name.end, start))
  const between = text.slice(end, name.start)
  return end <= name.start && (TO_IT.test(between)
    || (between.length <= NEAR && !CLAUSE_END.test(between)
      && (GIVES.test(text.slice(0, start)) || USES.test(between))))
}

function sensesFor({ key, senses }: Name, { words }: Owner): readonly Sense[] | undefined {
  const { senses: known } = getLexicon()
  const joint = LATIN.test(key) ? ' ' : ''
  const found = words.filter((word) => LATIN.test(word) === LATIN.test(key))
    .map((word) => known.get(keyOf(`${word}${joint}${key}`)))
    .find((one) => one?.some(({ weight }) => weight >= NAMED))
  return found && [...found, ...senses.filter(({ kind }) => !found.some((one) => one.kind === kind))
    .map((one) => ({ ...one, weight: one.weight * ALONE }))]
}
