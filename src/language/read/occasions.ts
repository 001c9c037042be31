/** What is given at an occasion, the commonest first. */
import { list } from './words.ts'

interface Occasion {
  readonly said: RegExp
  readonly kinds: readonly string[]
}

export const OCCASION_GIFTS: readonly Occasion[] = [
  { said: /乔迁|新居|搬家|新房|暖房|温居|housewarming|new (?:home|house|flat|apartment)/,
    kinds: list(`home_ornament|vase|dinnerware_set|potted_plant|kung_fu_tea_set
      |scented_candle|wall_clock|cookware_set|towel_gift_set|coffee_machine
      |table_clock|knife_set`) },
  { said: /中秋/,
    kinds: list(`mooncake|baijiu_gift_box|fruit_gift_box|hairy_crab|red_wine_gift_box
      |egg_yolk_pastry|green_tea_leaves|puer_tea|sauce_aroma_baijiu
      |osmanthus_wine`) },
  { said: /结婚|婚礼|新婚|大婚|wedding|getting married/,
    kinds: list(`wedding_bedding_set|dinnerware_set|silk_quilt|couple_watches|wine_glass
      |cookware_set|towel_gift_set|coffee_machine|gold_bracelet|home_ornament
      |digital_photo_frame`) },
  { said: /满月|百天|百日|周岁|baby shower|newborn/,
    kinds: list(`baby_longevity_lock|silver_bangle|newborn_clothes_set|baby_bodysuit
      |gold_bracelet|plush_toy|teether|baby_bouncer`) },
  { said: /教师节|谢师|teacher'?s'? day/,
    kinds: list(`fresh_flowers|fountain_pen|green_tea_leaves|mug|silk_scarf|greeting_card
      |skincare_set|towel_gift_set`) },
  { said: /父亲节|father'?s day/,
    kinds: list(`electric_shaver|leather_belt|mechanical_watch|quartz_watch|neck_massager
      |green_tea_leaves|baijiu_gift_box|leather_wallet|massage_chair
      |foot_massager|fishing_rod`) },
  { said: /母亲节|mother'?s day/,
    kinds: list(`fresh_flowers|skincare_set|silk_scarf|gold_bracelet|neck_massager
      |foot_massager|elderly_womens_wear|jade_bangle|womens_handbag|hand_cream`) },
  { said: /情人节|七夕|纪念日|valentine|anniversary/,
    kinds: list(`fresh_flowers|eau_de_parfum|silver_necklace|lipstick|chocolate_candy
      |couple_rings|couple_watches|gold_pendant_necklace|diamond_necklace
      |music_box`) },
  { said: /春节|过年|拜年|新年|年货|走亲戚|chinese new year|spring festival/,
    kinds: list(`baijiu_gift_box|fruit_gift_box|snack_gift_box|mixed_nuts|red_wine_gift_box
      |green_tea_leaves|roasted_seeds|ambient_yogurt|mooncake`) },
  { said: /端午/, kinds: list(`zongzi|salted_duck_egg|sauce_aroma_baijiu`) },
  { said: /探病|看望?病人|住院|出院|手术后|get well/,
    kinds: list(`fruit_gift_box|fresh_flowers|adult_milk_powder|instant_bird_nest
      |congee_can`) },
  { said: /毕业|graduation/,
    kinds: list(`fountain_pen|fresh_flowers|quartz_watch|instant_camera|blazer_suit_men
      |usb_flash_drive|commuter_backpack|wireless_earbuds`) },
  { said: /六一|儿童节|children'?s day/,
    kinds: list(`building_blocks|toy_airplane|fashion_doll|plush_toy|rc_car|play_kitchen
      |toy_robot|magnetic_tiles|snack_gift_box|kids_camera`) },
]

/** Kind → its place among what is given, of the occasions that are told. */
export function occasionGifts(text: string): Map<string, number> {
  const places = new Map<string, number>()
  for (const { said, kinds } of OCCASION_GIFTS) {
    if (!said.test(text)) continue
    for (const [place, kind] of kinds.entries()) {
      places.set(kind, Math.min(place, places.get(kind) ?? Infinity))
    }
  }
  return places
}
