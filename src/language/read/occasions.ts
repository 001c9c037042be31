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
      |green_tea_leaves|roasted_seeds|ambient_yogurt`) },
  { said: /端午/, kinds: list(`zongzi|salted_duck_egg|sauce_aroma_baijiu`) },
  { said: /探病|看望?病人|住院|出院|手术后|get well/,
    kinds: list(`fruit_gift_box|fresh_flowers|adult_milk_powder|instant_bird_nest
      |congee_can`) },
  { said: /毕业|graduation/,
    kinds: list(`fountain_pen|fresh_flowers|quartz_watch|instant_camera|blazer_suit_men
      |usb_flash_drive|commuter_backpack|wireless_earbuds`) },
  { said: /开业|开张|小店开|新店|新公司|grand opening|new shop/,
    kinds: list(`potted_plant|fresh_flowers|home_ornament|kung_fu_tea_set|wall_clock|table_clock
      |vase|digital_photo_frame|green_tea_leaves|red_wine_gift_box`) },
  { said: /怀孕|孕期|有喜|怀上|怀了|pregnan|expecting/,
    kinds: list(`maternity_dress|pregnancy_pillow|mixed_nuts|fruit_gift_box|adult_milk_powder
      |folic_acid|fresh_flowers|stretch_mark_oil|red_dates`) },
  { said: /坐月子|生完孩子|生了(?:二胎|宝宝|孩子|娃)|刚生|产妇|new mom|gave birth/,
    kinds: list(`postpartum_pajamas|newborn_clothes_set|baby_clothes_set|baby_diapers|red_dates
      |brown_sugar|fruit_gift_box|baby_bodysuit|baby_longevity_lock`) },
  { said: /大寿|过寿|寿辰|祝寿|寿礼|[六七八九]十(?:岁)?生日/,
    kinds: list(`tang_suit|walking_stick|elderly_shoes|elderly_womens_wear|elderly_mens_wear
      |adult_milk_powder|foot_massager|instant_bird_nest|blood_pressure_monitor|neck_massager`) },
  { said: /退休|retire/,
    kinds: list(`fishing_rod|kung_fu_tea_set|green_tea_leaves|mechanical_watch|neck_massager
      |calligraphy_brush|dslr_camera|foot_massager`) },
  { said: /年会|抽奖|[一二三四]等奖|奖品/,
    kinds: list(`bluetooth_speaker|power_bank|wireless_earbuds|air_fryer|electric_kettle
      |towel_gift_set|neck_massager|electric_toothbrush|massage_gun|hair_dryer|vacuum_flask
      |aroma_humidifier`) },
  { said: /留个?(?:小)?纪念|纪念品|临别|离职|告别|farewell|leaving/,
    kinds: list(`greeting_card|notebook|fountain_pen|mug|keychain|bookmark|photo_album
      |phone_stand|plush_toy|vacuum_flask`) },
  { said: /升学|考上(?:大学|研究生|高中|重点)|上大学|大学开学|going to (?:college|university)/,
    kinds: list(`notebook_computer|commuter_backpack|rolling_suitcase|wireless_earbuds|fountain_pen
      |tablet_computer|quartz_watch|dorm_bedding_set`) },
  { said: /成人礼|十八岁|18岁|coming of age/,
    kinds: list(`quartz_watch|mechanical_watch|silver_necklace|silver_bracelet|fountain_pen
      |digital_sports_watch|leather_wallet|wireless_earbuds`) },
  { said: /圣诞|christmas|xmas/,
    kinds: list(`plush_toy|scented_candle|chocolate_candy|winter_scarf|mug|building_blocks
      |music_box|skincare_set`) },
  { said: /新车|提了?辆?车|买了?辆?车|车上用|买车|new car|new driver|driver'?s licen[sc]e/,
    kinds: list(`car_perfume|car_ornament|car_phone_mount|car_charger|dash_camera
      |car_headrest|car_trash_bin|car_sunshade|tyre_inflator`) },
  { said: /考(?:试|研|公|证)|高考|中考|备考|exam/,
    kinds: list(`fountain_pen|gel_pen|chocolate_candy|mixed_nuts|vacuum_flask|stationery_set`) },
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
