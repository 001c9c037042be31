import { Type } from 'typebox'
import {
  Converted, convertInput, MALL_EXAMPLES, UPSTREAM_FAILS,
} from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import { CLOSED, Nullable, Text } from '../contract/fields.ts'

export const cpsTpwd = defineOperation({
  name: 'cps_tpwd',
  title: 'Mall A: share code and link',
  description: 'Share code and tracked link for one mall A item: give its item_id (mall_a:… or '
    + 'shelf:…) or url, not both. Only for what the user has chosen. Malls B and C: '
    + 'cps_mallb_convert, cps_mallc_convert.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-a/tpwd',
  input: convertInput('mall_a'),
  output: Type.Object({
    ...Converted.properties,
    share_code: Nullable(Text(100, 'Short code to paste into the app')),
    share_text: Nullable(Text(500, 'Whole text with code and link')),
  }, CLOSED),
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: MALL_EXAMPLES.mall_a },

  async handle(input, { caller, services }) {
    const { share_code = null, share_text = null, ...link } =
      await services.affiliate.convert('mall_a', input, caller)
    return { ...link, share_code, share_text }
  },
})
