/** Names of goods in sentences: not cut out of other words, whole with their numerals, mended. */
import { expect, test } from 'vitest'
import { understand } from './understand.ts'

test.each([
  ['圆形茶几，岩板台面', 'coffee_table'], ['旗袍，料子要上档次', 'cheongsam'],
  ['送男朋友打游戏的手柄', 'game_controller'], ['有賣隨身碟嗎', 'usb_flash_drive'],
  ['老师傅说红双喜的乒乓球拍好，帮我看看', 'table_tennis_bat'],
  ['送个八音盒给小姑娘', 'music_box'], ['三岁小朋友骑的三轮车', 'kids_tricycle'],
  ['天冷了想给我妈买个暧手宝', 'hand_warmer'], ['螺蛳纷五包装', 'snail_rice_noodles'],
  ['earings', 'fashion_earrings'], ['ricecooker', 'rice_cooker'], ['10斤红富士', 'fuji_apples'],
  ['I need an ipad pencil', 'stylus_pen'],
])('%s is %s', (sentence, kind) => {
  const { kinds, more } = understand(sentence)
  expect(kinds[0]?.value).toBe(kind)
  expect(more).toEqual([])
})

test.each([['海天酱油', '海天', 'soy_sauce'], ['三只松鼠坚果', '三只松鼠', 'mixed_nuts']])(
  '%s is a brand before its goods', (sentence, brand, kind) => {
    const { keywords, kinds, quantity } = understand(sentence)
    expect(keywords.find(({ role }) => role === 'brand')?.text).toBe(brand)
    expect(kinds[0]?.value).toBe(kind)
    expect(quantity).toBeNull()
  })

test.each([['toothbrush electric', 'electric_toothbrush'],
  ['keyboard mechanical', 'mechanical_keyboard'],
  ['shoes running', 'jogging_shoes'], ['non slip bath mat', 'bathroom_mat']])(
  '%s is a name turned round, or with a space in it', (say, kind) => {
    expect(understand(say).kinds[0]?.value).toBe(kind)
  })
