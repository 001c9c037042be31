import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSeal } from '../secrets/seal.ts'
import { maskReceiver, openReceiver, sealReceiver } from './record.ts'

const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}
const sealWith = (key: Buffer) => createSeal('r', [{ id: 'one', key }])
const seal = sealWith(randomBytes(32))

describe('a sealed receiver', () => {
  const sealed = sealReceiver(RECEIVER, 'AM1', seal)

  test('opens with its key and its order only', () => {
    expect(openReceiver(sealed, 'AM1', seal)).toEqual(RECEIVER)
    expect(() => openReceiver(sealed, 'AM2', seal)).toThrow(Error)
    expect(() => openReceiver(sealed, 'AM1', sealWith(randomBytes(32)))).toThrow(Error)
    expect(() => openReceiver(sealed.replace('r2', 'r0'), 'AM1', seal)).toThrow(/unknown way/)
  })

  test('does not open when a single byte was changed', () => {
    const [version, id, body = ''] = sealed.split('.')
    const bytes = Buffer.from(body, 'base64url')
    for (const at of [0, 11, 12, 27, 28, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => openReceiver(`${version}.${id}.${changed.toString('base64url')}`, 'AM1', seal))
        .toThrow(Error)
    }
  })

  test('opens though it was sealed long ago', () => {
    const old = 'r1.7DYp4NYRlq4nxvlARke8mJhygE9rj-bTKO2bpcaC4K2LzyWrTwhsqo88I2TMnyz-7KmNfzFQFblU_'
      + 'KWmWsj1eqism4SNlP1a6DxlszSqFF7892Q_9g9xGvl6PWck0_4MNTyPNRNdqytgMHE-2qD3y3L3CC25U6hIGcLs'
      + 'bEOXeQoD4ItiWBqTk0seAayZEE4bRknF-xb6xKUyw7N5ZiJntw'
    expect(openReceiver(old, 'AM1', sealWith(Buffer.alloc(32, 7)))).toEqual(RECEIVER)
  })

  test('is never twice the same', () => {
    expect(sealReceiver(RECEIVER, 'AM1', seal)).not.toBe(sealed)
  })
})

describe('the mask', () => {
  test('keeps the region and hides the rest', () => {
    expect(maskReceiver(RECEIVER)).toEqual({
      name: '张*', phone: '138****1234', province: '浙江省', city: '杭州市', district: '西湖区',
      address: '****',
    })
  })

  test.each([
    ['张', '*'], ['张三丰', '张*'], ['  ', '*'], ['John Smith', 'J*'], [' 李四 ', '李*'],
    ['𠮷野家', '𠮷*'],
  ])('of the name %j is %j', (name, masked) => {
    expect(maskReceiver({ ...RECEIVER, name }).name).toBe(masked)
  })

  test.each([
    ['13800001234', '138****1234'], ['138 0000 1234', '138****1234'],
    ['+86 138-0000-1234', '138****1234'], ['+1 415 555 0132', '****32'], ['010-12345678', '****78'],
    ['12345', '****'], ['+44 20 7946', '****46'], ['1234567', '****'],
  ])('of the phone %j is %j', (phone, masked) => {
    expect(maskReceiver({ ...RECEIVER, phone }).phone).toBe(masked)
  })
})
