import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, it } from 'vitest'
import {
  createEras, HANDSHAKE_VERSIONS, handshakeEra, unsupportedVersion, type Era,
} from './eras.ts'

const handshake = handshakeEra(new Map())
const later: Era = { versions: ['2099-01-01'], methods: new Map(), unknownMethodStatus: 404 }
const eras = createEras([handshake, later])

it('the handshake era has the revisions of the official SDK, in its order', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
  expect(HANDSHAKE_VERSIONS).toContain(DEFAULT_NEGOTIATED_PROTOCOL_VERSION)
})

it('a header chooses its era, none means the handshake, an unknown one has no era', () => {
  expect(eras.of('2099-01-01', 'tools/call')).toBe(later)
  expect(eras.of(' 2025-06-18 ', 'tools/call')).toBe(handshake)
  expect(eras.of(undefined, 'tools/call')).toBe(handshake)
  expect(eras.of('2031-01-01', 'tools/call')).toBeUndefined()
  expect(eras.of('constructor', undefined)).toBeUndefined()
})

it('initialize is of the handshake era whatever the header says', () => {
  expect(eras.of('2099-01-01', 'initialize')).toBe(handshake)
  expect(eras.of('nonsense', 'initialize')).toBe(handshake)
})

it('only what looks like a revision is shown back', () => {
  expect(unsupportedVersion(eras, '2031-01-01').data).toEqual({
    supported: [...HANDSHAKE_VERSIONS, '2099-01-01'], requested: '2031-01-01',
  })
  expect(unsupportedVersion(eras, '<script>').data).toMatchObject({ requested: 'unknown' })
})
