import { describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createRouter, type Router } from './router.ts'
import type { Handler, Method, Route } from '../contract/http.ts'

const handler: Handler = () => ({ status: 200 })
const routerOf = (...routes: string[]): Router => createRouter(routes.map((route): Route => {
  const [method, pattern = ''] = route.split(' ')
  return { method: method as Method, pattern, handler }
}))
const found = (router: Router, path: string) => {
  const match = router.find(path)
  return match && { pattern: match.endpoint.pattern, params: { ...match.params } }
}

describe('finding', () => {
  const router = routerOf(
    'GET /', 'GET /v1/goods', 'GET /v1/goods/:skuId', 'POST /v1/goods/mine',
    'GET /v1/orders/:orderNo', 'POST /v1/orders/:orderNo/aftersales',
    'GET /v1/orders/recent/:count',
  )

  test.each([
    ['/', '/', {}],
    ['/v1/goods', '/v1/goods', {}],
    ['/v1/goods/101', '/v1/goods/:skuId', { skuId: '101' }],
    ['/v1/goods/mine', '/v1/goods/mine', {}],
    ['/v1/orders/AM1', '/v1/orders/:orderNo', { orderNo: 'AM1' }],
    ['/v1/orders/AM1/aftersales', '/v1/orders/:orderNo/aftersales', { orderNo: 'AM1' }],
    ['/v1/orders/recent/5', '/v1/orders/recent/:count', { count: '5' }],
    // A fixed segment that leads nowhere does not hide the parameter beside it.
    ['/v1/orders/recent/aftersales', '/v1/orders/recent/:count', { count: 'aftersales' }],
    ['/v1/orders/recent', '/v1/orders/:orderNo', { orderNo: 'recent' }],
  ])('%s is taken by %s', (path, pattern, params) => {
    expect(found(router, path)).toEqual({ pattern, params })
  })

  test('parameters of a path that did not match are dropped', () => {
    const ways = routerOf('GET /a/:x/b', 'GET /:y/:z/c')
    expect(found(ways, '/a/1/c')).toEqual({ pattern: '/:y/:z/c', params: { y: 'a', z: '1' } })
  })

  test.each([
    '/v1', '/v1/', '/v1/goods/', '/v1/goods//', '/v1/goods/1/2', '//', '/V1/goods',
    '/v1/orders//aftersales', '/v1/orders/AM1/aftersales/', '/v1/goods/101/', 'v1/goods', '',
    '/__proto__/x', `/${'a/'.repeat(2000)}`,
  ])('%s is nowhere', (path) => {
    expect(router.find(path)).toBeUndefined()
  })

  test('a parameter is decoded once, and a slash in it stays inside it', () => {
    expect(found(router, '/v1/goods/%E6%89%8B%E6%9C%BA')?.params).toEqual({ skuId: '手机' })
    expect(found(router, '/v1/goods/a%2Fb')?.params).toEqual({ skuId: 'a/b' })
    expect(found(router, '/v1/goods/%2541')?.params).toEqual({ skuId: '%41' })
    expect(found(router, '/v1/goods/..')?.params).toEqual({ skuId: '..' })
  })

  test.each(['%', '%4', '%zz', '%ff', '%C3', '%00', 'a%0d%0ab', '%7f', '%1b'])(
    'a parameter such as %s is refused and named', (text) => {
      let thrown: unknown
      try {
        router.find(`/v1/goods/${text}`)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(Refusal)
      expect((thrown as Refusal).error).toBe('invalid_request')
      expect((thrown as Refusal).detail.fields?.[0]?.path).toBe('skuId')
    },
  )

  test('Allow says every method of a path, with HEAD beside GET and OPTIONS always', () => {
    const { find } = routerOf('GET /a', 'POST /a', 'DELETE /a', 'POST /b')
    expect(find('/a')?.endpoint.allow).toBe('GET, HEAD, POST, DELETE, OPTIONS')
    expect(find('/b')?.endpoint.allow).toBe('POST, OPTIONS')
  })
})

describe('building', () => {
  test.each([
    [['GET /a', 'GET /a'], 'declared twice'],
    [['GET /a/:b', 'GET /a/:c'], 'the same path'],
    [['GET a'], 'not a path pattern'],
    [['GET /a/'], 'not a path pattern'],
    [['GET /a/:'], 'not a path pattern'],
    [['GET /a?b'], 'not a path pattern'],
  ])('%j stops the start: %s', (routes, reason) => {
    expect(() => routerOf(...routes)).toThrow(reason)
  })
})
