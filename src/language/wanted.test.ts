import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const kindOf = (sentence: string) => understand(sentence).kinds[0]?.value

describe('what they have, or do', () => {
  test.each([
    ['我的 laptop 15.6寸，要个 sleeve', 'laptop_sleeve'],
    ['平板买好了，想贴个膜', 'tablet_screen_protector'],
    ['我那把手动剃须刀该换刀片了', 'razor_blades'],
    ['托运箱子的保护套，26寸箱子用', 'luggage_cover'],
    ['手表 带子', 'wristwatch_strap'],
  ])('says for what an accessory is wanted: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test.each([
    ['想买个电炖锅炖燕窝', 'slow_cooker'],
    ['做酸菜鱼，巴沙鱼来一包', 'basa_fillet'],
    ['I cook a lot of fish; what rice cooker do you suggest', 'rice_cooker'],
    ['want to learn the violin, which music stand should I get', 'music_stand'],
    ['Which translator device suits a trip to Spain?', 'translator'],
    ['Going hiking with kids, need a compass', 'compass'],
  ])('is no goods that they want: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test('is wanted anew where it broke', () => {
    expect(kindOf('My electric shaver died, I need a new rotary one')).toBe('electric_shaver')
  })
})

test.each([['买点红枣泡水', 'red_dates'], ['瑜伽垫加厚的', 'yoga_mat'], ['买把牙刷和牙膏各一个', 'manual_toothbrush'],
  ['中秋拎什么白酒去体面', undefined]])(
  'a verb behind a name makes no other goods of it: %s', (sentence, kind) => {
    const { kinds } = understand(sentence)
    expect(kinds.length).toBeGreaterThan(0)
    expect(kind === undefined || kinds[0]?.value === kind).toBe(true)
  })

test('what is not drunk is refused, though it is a name of goods', () => {
  const { kinds, must_not } = understand('奶茶我不喝植脂末做的')
  expect(must_not.map(({ anyOf }) => anyOf)).toContainEqual(['植脂末'])
  expect(kinds.map(({ value }) => value)).not.toContain('coffee_creamer')
})

describe('a picture', () => {
  test.each([['🐦 的 🏠 买一个', 'bird_cage'], ['🐶🦴', 'dog_chew'], ['🚲🔒', 'bike_lock'],
    ['🎻 初学', 'violin'], ['🧹一把', 'broom'], ['🎈 50个', 'balloon']])(
    'names goods: %s', (sentence, kind) => {
      expect(kindOf(sentence)).toBe(kind)
    })
})

test.each([
  ['明天要☔，来件雨衣', 'raincoat'], ['🎂想订个生日蛋糕🎉', 'birthday_cake'], ['📱 壳', 'phone_case'],
  ['☕️豆子，深烘的', 'coffee_beans'],
])('a picture beside goods that are written names none: %s', (sentence, kind) => {
  expect(kindOf(sentence)).toBe(kind)
  expect(understand(sentence).more).toStrictEqual([])
})

describe('the animal that somebody keeps', () => {
  test.each([
    ['🐶要过冬了，给它买件厚衣服', 'dog_clothes'], ['想给家里的猫买点好玩的', 'cat_toy'],
    ['something fun for my cat', 'cat_toy'], ['给兔子买点草', 'timothy_hay'],
  ])('gets what is asked for: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test.each([
    ['狗把沙发咬坏了，想换个沙发', 'living_room_sofa'], ['养猫的人买什么沙发好', 'living_room_sofa'],
    ['家里有狗，买个拖把', 'mop'],
  ])('gets nothing that people use: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })
})

test.each([
  ['what landing nets do you have for my husband, he took up fishing', 'landing_net'],
  ['which teapots would you recommend, my mom loves tea', 'teapot'],
])('English asks for what is had: %s', (sentence, kind) => {
  expect(kindOf(sentence)).toBe(kind)
})

test.each([
  ['toaster that takes 4 slices', 4, 'slice'], ['Coloured pencils, 48 colours', 48, 'colour'],
  ['power strip, 6 sockets', 6, '位'], ['ladder with at least 5 steps', 5, '步'],
])('English counts the parts of goods: %s', (sentence, low, unit) => {
  expect(understand(sentence).must.map(({ measure }) => measure))
    .toContainEqual(expect.objectContaining({ low, unit }))
})

test.each([['drawer organiser', 'drawer organizer'], ['colouring book', 'coloring book'],
  ['watercolour set', 'watercolor set'], ['jewellery box', 'jewelry box']])(
  'British and American spellings name the same: %s', (british, american) => {
    expect(kindOf(british)).toBeDefined()
    expect(kindOf(british)).toBe(kindOf(american))
  })

describe('a vague wish', () => {
  test.each([
    ['老头子闷得慌，给他找点乐子的玩意儿', 'radio'], ['刚开始学钓鱼，缺啥都不知道', 'fishing_bait'],
    ['天一热我店里就坐不住人，有啥能凉快的', 'evaporative_cooler'],
  ])('is answered by several kinds: %s', (sentence, kind) => {
    const { kinds } = understand(sentence)
    expect(kinds.length).toBeGreaterThan(1)
    expect(kinds.map(({ value }) => value)).toContain(kind)
  })
})

describe('a slip', () => {
  test.each([['想买个电顿锅炖燕窝', '电炖锅'], ['来几斤莲耦煲汤', '莲藕'], ['做酸菜鱼，巴杀鱼来一包', '巴沙鱼'],
    ['买点红早泡水', '红枣']])('is corrected inside a sentence: %s', (sentence, word) => {
    expect(understand(sentence).corrections.map(({ to }) => to)).toStrictEqual([word])
  })

  test.each(['女款 长版 羽绒外套', '擦字胶', '口香胶', '今天想喝霸王茶姬', '想要个炒过的'])(
    'is none where the characters say something else: %s', (sentence) => {
      expect(understand(sentence).corrections).toStrictEqual([])
    })
})

test.each([['老人便秘', 'dietary_fiber_powder'], ['女朋友痛经', 'hot_compress_pad'],
  ['娃一出门一身包', 'mosquito_repellent_spray']])(
  'what somebody suffers from is a need: %s', (sentence, kind) => {
    const { kinds, unsold } = understand(sentence)
    expect([kinds[0]?.value, unsold]).toStrictEqual([kind, null])
  })

test('a part of the name before a number is no attribute', () => {
  expect(kindOf('电脑屏幕27寸')).toBe('computer_monitor')
})

describe('one wrong character of a name that stands alone', () => {
  test.each([
    ['血糖议', 'glucose_meter'], ['保温怀', 'vacuum_flask'], ['空气炸过', 'air_fryer'],
    ['羽毛球怕', 'badminton_racket'], ['鼠标店', 'mouse_pad'], ['toilet papper', 'toilet_paper_rolls'],
  ])('is read as it was meant: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test.each([
    ['恁这儿有木有擀面条的棍儿', 'rolling_pin'], ['vitamin c', 'vitamin_c_tablets'],
    ['拖鞋男', 'indoor_slippers'],
  ])('is not seen in what is right: %s', (sentence, kind) => {
    expect(understand(sentence).corrections).toEqual([])
    expect(kindOf(sentence)).toBe(kind)
  })
})

describe('what a maker\'s name says', () => {
  const wishesOf = (sentence: string) => understand(sentence).must.map(({ text }) => text)

  test.each([
    ['惠普打印机的墨盒，黑色', '惠普'], ['toner for an HP laser printer', 'HP'],
    ['家里是兄弟打印机，没墨了', '兄弟'],
  ])('is a wish where goods are made for it: %s', (sentence, name) => {
    expect(wishesOf(sentence)).toContain(name)
  })

  test('is a brand where they are made by it', () => {
    expect(wishesOf('小米充电宝')).toEqual([])
  })
})

describe('what is told so well that it brings goods', () => {
  test.each([
    ['鱼缸里抽水过滤那个东西', 'aquarium_filter'], ['两个月大的小猫吃什么粮', 'cat_food'],
    ['raincoat for a big labrador', 'dog_clothes'], ['刚出生的小侄子，见面礼送什么', 'newborn_clothes_set'],
  ])('%s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })
})

test('about 2k is a price, and 2K by itself a picture', () => {
  expect(understand('投影仪大概2k').budget).toMatchObject({ min: 160_000, max: 240_000 })
  expect(understand('2K投影仪').budget).toBeNull()
})

test('so many pictures are no price', () => {
  expect(understand('photo album, holds at least 200 pictures').budget).toBeNull()
})

test('who is pregnant and asks for medicine is sent to a doctor', () => {
  expect(understand('怀孕五个月感冒了，能吃什么药').notes.join()).toContain('医生')
  expect(understand('cold medicine, I am pregnant').notes.join()).toContain('doctor')
  expect(understand('感冒药').notes).toEqual([])
})
