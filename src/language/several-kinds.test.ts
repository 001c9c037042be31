/** Where several kinds of goods may do: what to take along, gifts, and wide names. */
import { describe, expect, test } from 'vitest'
import { planOf } from './fit.ts'
import { understand } from './understand.ts'

const mainKinds = (say: string): string[] => [...planOf(understand(say)).mainKinds]

describe('who asks what to take is shown several kinds', () => {
  test.each([
    ['第一次去露营，两天一夜，要准备哪些东西', ['camping_tent', 'sleeping_bag', 'camping_lantern']],
    ['下周去三亚度假，帮我看看带什么', ['swimsuit', 'sunscreen_lotion', 'beach_towel']],
    ['essentials for a newborn', ['baby_diapers', 'swaddle_blanket', 'baby_bottle']],
    ['教师节给老师送个小礼物', ['fountain_pen', 'fresh_flowers', 'notebook']],
    ['gift for my dad who loves fishing', ['fishing_rod', 'fishing_box', 'fishing_lure']],
  ])('%s', (say, kinds) => {
    expect(mainKinds(say)).toEqual(expect.arrayContaining(kinds))
    expect(planOf(understand(say)).isOpen).toBe(true)
  })
})

describe('a wide name that is all that is said', () => {
  test.each([
    ['要一双手套', ['winter_gloves', 'work_gloves', 'rubber_gloves']],
    ['帮我挑个灯', ['ceiling_light', 'floor_lamp', 'study_desk_lamp']],
    ['来把刀', ['kitchen_knife', 'fruit_knife']],
  ])('means several kinds: %s', (say, kinds) => {
    const { isWide, kind } = understand(say)
    expect(mainKinds(say)).toEqual(expect.arrayContaining(kinds))
    expect([isWide, kind]).toEqual([true, null])
  })

  test.each(['3 pieces of bath towel', '性价比高的笔记本电脑', '要一双劳保手套', '毛巾'])(
    'is none beside a count, a mode or a name of its own: %s', (say) => {
      expect(understand(say).isWide).toBe(false)
    })
})

test.each([
  ['想买跑步机或者动感单车', ['treadmill', 'exercise_bike']],
  ['朋友搬新家，送个花瓶或者摆件，300以内', ['vase', 'home_ornament']],
])('of two goods either may be bought: %s', (say, kinds) => {
  const { kinds: first, more, budget } = understand(say)
  expect([first, ...more].map(([best]) => best?.value)).toEqual(kinds)
  expect(budget?.per ?? 'each').toBe('each')
})
