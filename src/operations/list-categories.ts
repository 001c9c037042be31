import { Type } from 'typebox'
import { CATEGORIES } from '../goods/categories.ts'
import { defineOperation } from './define.ts'
import { CategoryId, CLOSED, Text } from '../contract/fields.ts'

const items = CATEGORIES.map(([category_id, name_zh, name_en]) =>
  ({ category_id, name_zh, name_en }))

export const listCategories = defineOperation({
  name: 'list_categories',
  title: 'List categories',
  description: 'The 24 categories of goods with their names: what category_id of search_goods '
    + 'stands for. Over MCP the description of that parameter names them.',
  access: 'anyone',
  effect: 'read',
  tool: false,
  route: 'GET /categories',
  input: Type.Object({}, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object({
      category_id: CategoryId, name_zh: Text(40), name_en: Text(60),
    }, CLOSED)),
  }, CLOSED),
  fails: [],
  example: {},
  handle: () => ({ items }),
})
