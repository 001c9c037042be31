/** The animal that somebody keeps, whose things they ask for: 接了只鹦鹉，笼子和粮都要. */
import { overlaps, type Place } from './claims.ts'
import { list } from './words.ts'

export interface Owner extends Place {
  /** What stands before the name of goods for them, the commonest first. */
  readonly words: readonly string[]
  /** An animal they keep: what is asked for in other clauses is its as well. */
  readonly isKept: boolean
}

const CAGED = 5
/** Caged ones first. How it is called, and what stands before the name of goods for it. */
const ANIMALS = [
  ['仓鼠|金丝熊|花枝鼠', 'hamsters?|gerbils?', '仓鼠|鼠|宠物|hamster|pet'],
  ['鹦鹉|玄凤|虎皮|八哥|文鸟|小鸟|鸟儿?', 'parrots?|budgies?|parakeets?|cockatiels?|birds?',
    '鹦鹉|鸟|宠物|bird|parrot|pet'],
  ['兔子|小兔|垂耳兔|荷兰猪|豚鼠', 'rabbits?|bunn(?:y|ies)|guinea pigs?', '兔|兔子|宠物|rabbit|pet'],
  ['乌龟|小龟|草龟|巴西龟|陆龟', 'turtles?|tortoises?', '乌龟|龟|宠物|turtle|pet'],
  ['金鱼|锦鲤|热带鱼|孔雀鱼|斗鱼', 'goldfish|bettas?|guppies', '鱼|金鱼|鱼缸|fish|fish tank|aquarium'],
  ['猫咪?|喵星人', 'cats?|kittens?|kitty', '猫|猫咪|宠物|cat|kitty|pet'],
  ['狗狗?|狗子|汪星人|[金黑]毛|泰迪|柯基|拉布拉多', 'dogs?|pupp(?:y|ies)', '狗|狗狗|宠物|dog|puppy|pet'],
].map(([han, latin, words = ''], at) => ({
  said: new RegExp(`${han}|(?<![a-z])(?:${latin})(?![a-z])`, 'g'), words: list(words),
  isCaged: at < CAGED,
}))

/** It is new in the house, and needs all that it has. */
const NEW_BEFORE = new RegExp('(?:[想要新]养|接|领|抱|捡|收养|来|买|送|得|添)(?:了|回|回来|养)*[一两二三四几]?[只条个对窝]?'
  + '的?(?:小|新|幼)?$|新来的小?$|养了?[一两二三四几]?[只条个对窝]小?$'
  + '|(?<![a-z])(?:got|get|getting|adopt(?:ed|ing)?|bought|buying|rescued|new)(?: [a-z]+){0,2} $')
const NEW_BEHIND = new RegExp('^(?:刚|才|今天|明天|已经)?[买接抱带领捡到养]?(?:回来|回家|到家|来家)了?|^(?:要|快)过冬'
  + '|^ (?:is |are )?(?:coming|arriv|just came|comes )')
/** Those who live in a cage or a tank use little else. */
const KEPT_BEFORE = /(?:养|有)(?:了|着|过)?小?$|(?<![a-z])(?:have|keep|own|my|our)(?: [a-z]+)? $/
const KEPT_BEHIND = /^ needs?(?![a-z])/
/** 养猫的人, 狗把沙发咬坏了: people ask, for themselves. */
const TELLS = /^(?:的(?!笼|窝|家)|毛|把|老|总|[抓咬挠拆尿]| (?:chew|ate|scratch|ruin|broke|destroy|pee|shed))/

/** Animals of a text that are no part of another name. */
export const animalsIn = (text: string, names: readonly Place[]): Owner[] =>
  ANIMALS.flatMap(({ said, ...animal }) => [...text.matchAll(said)].map(({ 0: word, index }) => {
    const { words, isCaged } = animal
    const place = { start: index, end: index + word.length }
    const [before, behind] = [text.slice(0, place.start), text.slice(place.end)]
    return { ...place, words, isKept: !TELLS.test(behind)
      && (NEW_BEFORE.test(before) || NEW_BEHIND.test(behind)
        || (isCaged && (KEPT_BEFORE.test(before) || KEPT_BEHIND.test(behind)))) }
  })).filter((one) => !names.some((name) => overlaps(name, one)))

interface Thing extends Place { readonly noun: string }

/** What animals have, by a word that is the name of no goods. */
const THING = new RegExp('(?<=^|[和跟与、,;。 个只条点些买要的])(笼|粮|口粮|主粮|窝|碗|盆|缸|草|食|饭|吃的|垫子?|厕所|屋)'
  + '(?=$|[和跟与、,;。 都也要得没还各]|一起)|(?<![a-z])(food|cage|bowl|house|tank|bed|toys?|treats?'
  + '|bedding|hay|wheel|litter)(?![a-z])', 'g')
/** 买点好玩的: how such things are asked for. */
const ASKED = new RegExp('(?<=[买整弄来找添要给](?:点儿?|些|个)?|something |anything |stuff |things )'
  + '(?:(好玩的|玩的|解闷的|fun'
  + '|to play with)|(好吃的|零嘴|tasty)|(穿的|warm to wear|to wear)|(睡的|to sleep (?:in|on)))'
  + '(?=$|[ ,;.。!?])', 'g')
const ASKED_NOUNS = [['玩具', 'toy'], ['零食', 'treats'], ['衣服', 'clothes'], ['窝', 'bed']]

/** Things of animals that are named by what they are to them only. */
export function thingsIn(text: string): Thing[] {
  const things = [...text.matchAll(THING)].map(({ 0: said, index }) =>
    ({ start: index, end: index + said.length, noun: said === '吃的' ? '粮' : said }))
  const asked = [...text.matchAll(ASKED)].map(({ index, 0: said, ...groups }) => {
    const at = ASKED_NOUNS.findIndex((_, noun) => groups[noun + 1] !== undefined)
    const [han = '', latin = ''] = ASKED_NOUNS[at] ?? []
    return { start: index, end: index + said.length, noun: /^[a-z]/.test(said) ? latin : han }
  })
  return [...things, ...asked]
}
