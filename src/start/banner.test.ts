import { expect, test } from 'vitest'
import { banner } from './banner.ts'

const facts = { publicUrl: 'http://localhost:8080', nodes: 1, items: 5 }
const file = '.data/sandbox-key'

test('a start shows the sandbox key when it made it, and its file at every later start', () => {
  const apiKey = `ak_${'s'.repeat(32)}`
  expect(banner({ ...facts, sandboxKey: { file, apiKey } }).split(apiKey)).toHaveLength(4)
  const later = banner({ ...facts, sandboxKey: { file } })
  expect(later).not.toMatch(/ak_/)
  expect(later).toContain(`key      in ${file}`)
  expect(later).toContain(`-H "Authorization: Bearer $(cat ${file})"`)
  expect(banner({ ...facts, sandboxKey: undefined })).not.toContain('sandbox-key')
})
