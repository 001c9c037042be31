import { expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { readMallSettings } from './settings.ts'

const MALL_B = {
  baseUrl: 'https://gateway.example/routerjson', appKey: 'key', appSecret: 'secret-of-b',
  siteId: '5001', hosts: ['mall-b.example'], sceneId: 1, conversion: 'sub_union',
}

test('nothing configured is no mall, which the sandbox plays then', () => {
  expect(readMallSettings(undefined, {})).toEqual({})
})

test('a file, variables, and both together give the same settings', () => {
  const variables = {
    MALL_B_BASE_URL: MALL_B.baseUrl, MALL_B_APP_KEY: 'key', MALL_B_APP_SECRET: 'secret-of-b',
    MALL_B_SITE_ID: '5001', MALL_B_HOSTS: 'mall-b.example', MALL_B_SCENE_ID: '1',
    MALL_B_CONVERSION: 'sub_union',
  }
  const { appSecret: _, ...file } = MALL_B
  expect(readMallSettings({ mall_b: MALL_B }, {})).toEqual({ mall_b: MALL_B })
  expect(readMallSettings(undefined, variables)).toEqual({ mall_b: MALL_B })
  expect(readMallSettings({ mall_b: file }, { MALL_B_APP_SECRET: 'secret-of-b' }))
    .toEqual({ mall_b: MALL_B })
})

test.each([
  ['a setting is missing', { mall_b: { ...MALL_B, siteId: undefined } }, /siteId.*MALL_B_SITE_ID/],
  ['a setting is unknown', { mall_b: { ...MALL_B, colour: 'red' } }, /colour/],
  ['a mall is unknown', { mall_x: {} }, /mall_a|mall_b/],
  ['the file is no object', 'mall_b', /object/],
])('the start stops with the setting, and never with what is in it, when %s', (_, file, says) => {
  const read = () => readMallSettings(file, {})
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(says)
  expect(read).not.toThrow(/secret-of-b/)
})
