import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { createEras, metaOf, VERSION_KEY, type Era } from './eras.ts'
import { HANDSHAKE_VERSIONS } from './handshake.ts'
import { MODERN_VERSIONS } from './modern.ts'

const era = (versions: readonly string[]): Era =>
  ({ versions, methods: new Map(), unknownMethodStatus: 404, isCancelledByDisconnect: true })
const handshake = era(HANDSHAKE_VERSIONS)
const modern = era(MODERN_VERSIONS)
const eras = createEras([modern, handshake])

const claiming = (version: unknown, method = 'tools/call') =>
  ({ method, params: { _meta: { [VERSION_KEY]: version } } })
const plain = (method = 'tools/call') => ({ method, params: {} })

it('the handshake era has the revisions of the official SDK, in its order', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
  expect(HANDSHAKE_VERSIONS).toContain(DEFAULT_NEGOTIATED_PROTOCOL_VERSION)
})

describe('the era of a message', () => {
  it('is that of the revision which its metadata or its header names', () => {
    expect(eras.of('2026-07-28', claiming('2026-07-28'))).toEqual({ era: modern })
    expect(eras.of(undefined, claiming('2026-07-28'))).toEqual({ era: modern })
    expect(eras.of('2026-07-28', plain())).toEqual({ era: modern })
    expect(eras.of(' 2025-06-18\t', plain())).toEqual({ era: handshake })
    expect(eras.of('2025-06-18', claiming('2025-06-18'))).toEqual({ era: handshake })
  })

  it('is the handshake where nothing names a revision', () => {
    for (const params of [undefined, null, [], 'text', { _meta: null }, { _meta: [VERSION_KEY] }]) {
      expect(eras.of(undefined, { method: 'ping', params })).toEqual({ era: handshake })
    }
    expect(eras.of(undefined, {})).toEqual({ era: handshake })
  })

  it('is refused where header and metadata disagree, even about an unknown revision', () => {
    for (const [header, claim] of [
      ['2025-11-25', '2026-07-28'], ['2026-07-28', '2025-11-25'], ['2026-07-28', '1900-01-01'],
      ['', '2026-07-28'],
    ]) expect(eras.of(header, claiming(claim))).toMatchObject({ error: { code: -32020 } })
  })

  it('is refused where the metadata names no string', () => {
    for (const claim of [null, 20260728, {}, ['2026-07-28']]) {
      expect(eras.of('2026-07-28', claiming(claim))).toMatchObject({ error: { code: -32602 } })
    }
  })
})

describe('initialize', () => {
  it('is of the handshake whatever the header says', () => {
    for (const header of ['2026-07-28', '2025-11-25', 'nonsense', undefined]) {
      expect(eras.of(header, plain('initialize'))).toEqual({ era: handshake })
      expect(eras.of(header, claiming(7, 'initialize'))).toEqual({ era: handshake })
    }
  })

  it('is a method like any other where the metadata names a revision without handshake', () => {
    expect(eras.of('2026-07-28', claiming('2026-07-28', 'initialize'))).toEqual({ era: modern })
  })
})

describe('an unknown revision', () => {
  it.each(['1900-01-01', 'v999.0.0', 'constructor', '__proto__'])(
    '%s is refused with what is supported and what was asked for', (version) => {
      for (const choice of [eras.of(version, plain()), eras.of(version, claiming(version))]) {
        expect(choice).toMatchObject({
          error: {
            code: -32022,
            data: { supported: ['2026-07-28', ...HANDSHAKE_VERSIONS], requested: version },
          },
        })
      }
    })

  it.each(['<script>', '', 'x'.repeat(33), '2026-07-28, 2026-07-28'])(
    '%j is not shown back', (version) => {
      expect(eras.of(version, plain()))
        .toMatchObject({ error: { code: -32022, data: { requested: 'unknown' } } })
    })
})

it('metadata is an object or none at all', () => {
  expect(metaOf({ _meta: { a: 1 } })).toEqual({ a: 1 })
  for (const params of [undefined, null, 1, 'x', [], {}, { _meta: 'x' }, { _meta: [] }]) {
    expect(metaOf(params)).toBeUndefined()
  }
})
