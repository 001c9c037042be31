/** Every part of a folded sentence. */
import { isCapacity } from './capacities.ts'
import { addWord, isOtherGoods } from './compound.ts'
import { ignoredIn, offersIn, scenesIn } from './ignored.ts'
import { attributesIn, joined } from './attributes.ts'
import { overlaps, type Place } from './claims.ts'
import { refusalAfter } from './signals.ts'
import { byStart, createDraft, each, free, one, ignore, type Draft } from './draft.ts'
import { readGoods } from './goods.ts'
import { deliveriesIn, foodIn } from './meals.ts'
import { modeIn } from './modes.ts'
import { perUnitIn, type FoundPer } from './per-unit.ts'
import { getLexicon } from '../lexicon.ts'
import { isConsumable } from '../unit-price.ts'
import { headsOf } from './heads.ts'
import { MATERIALS } from './attribute-words.ts'
import { isWholeName, namesIn, type Name } from './names.ts'
import { phrases } from './phrases.ts'
import { isBare } from './phrasing.ts'
import { readMeasures, readMoney, readQuantities } from './numeric.ts'
import { numbersIn } from './numbers.ts'
import { restWords } from './rest.ts'
import { readUnsold } from './unsold.ts'
import { CONDITIONS } from './conditions.ts'
import { denials, intolerances, latinDenials, refusalEnd, refusals } from './refusals.ts'
import { demands, onlySuch, withoutGoods, type Clause } from './demands.ts'


/** The order matters: each step reads only what those before it left. */
const STEPS: readonly ((draft: Draft) => void)[] = [
  readTitles, readOffers, readPer, readMeasures, readPhrases, readNames, readMoney,
  readQuantities, readMode, readFood,
  readConditions, readRefusals,
  readDemands, readGoods, readAsides, readSuited, readFeatures, readChange, readScenes,
  readRest, readUnsold, readFillers,
]

export function readSentence(text: string): Draft {
  const draft = createDraft(text)
  const named = numeralsNamed(text)
  draft.numbers = numbersIn(text).filter((number) => !named.some((one) => overlaps(one, number)))
  for (const step of STEPS) step(draft)
  for (const list of [draft.must, draft.mustNot, draft.prefer, draft.keywords, draft.ignored]) {
    list.sort(byStart)
  }
  return draft
}

/** 八音盒 and 三只松鼠 count nothing: names and brands that begin with a numeral. */
function numeralsNamed(text: string): Place[] {
  if (!HAN_NUMERAL.test(text)) return []
  const names = namesIn(text)
  const brands = getLexicon().brands.find(text).filter(({ start, end, phrase }) =>
    phrase.length > NUMERAL_LENGTH_MAX || names.some((name) => name.start === end
      // 三元 牛奶, and nothing else.
      || (start === 0 && text.startsWith(' ', end) && name.start === end + 1
        && name.end === text.length)))
  return [...names.filter(isCountless), ...brands].filter(({ start }) =>
    HAN_NUMERAL.test(text.charAt(start)))
}

const HAN_NUMERAL = /[一二两三四五六七八九十百千万半]/
/** 三元 of a brand may be three yuan; 百岁山 counts nothing. */
const NUMERAL_LENGTH_MAX = 2

/** Not 五号电池: without what counts it is a name, too. */
const isCountless = ({ key }: Name): boolean => isWholeName(key)
  && ![2, 3].some((length) => key.length > length + 1 && isWholeName(key.slice(length)))

const TITLE = /《([^《》]{2,30})》/g
/** Who says more tells of it only: 吹《回家》太好听了. */
const ASKED_LENGTH_MAX = 10

/** 《百年孤独》: what nobody here knows by its title. */
function readTitles(draft: Draft): void {
  for (const { 0: said, 1: title = '', index } of draft.text.matchAll(TITLE)) {
    const place = { start: index + 1, end: index + 1 + title.length }
    if (draft.text.length - said.length > ASKED_LENGTH_MAX) continue
    const isKnown = namesIn(title).some(({ start, end }) => end - start === title.length)
    if (isKnown || !draft.claims.take({ start: index, end: index + said.length })) continue
    draft.keywords.push({ ...place, role: 'word' })
    draft.unsold ??= place
  }
}

/** 满200减30 is no budget. */
function readOffers(draft: Draft): void {
  for (const offer of offersIn(draft.text)) ignore(draft, offer.why, offer)
}

/** Memory foam is neither memory nor foam: several Latin words are read before names. */
function readPhrases(draft: Draft): void {
  for (const { start, end, phrase } of LATIN_FEATURES.find(free(draft))) {
    const place = { start, end }
    if (!isWholeName(phrase) && draft.claims.take(place)) draft.must.push(one(place))
  }
}

/** 坐十几个小时火车 is how they travel, and no toy. */
const RIDDEN = /(?:坐|乘|赶|转|挤)[^;,.。!?玩]{0,8}$/
const VEHICLE = /^(?:火车|高铁|动车|飞机|大巴|客车|地铁|轮船|船|公交车?|汽车)$/

function readNames(draft: Draft): void {
  draft.names = namesIn(free(draft)).filter(({ start, end }) =>
    !VEHICLE.test(draft.text.slice(start, end)) || !RIDDEN.test(draft.text.slice(0, start)))
  const isPart = (name: Name): boolean => isCapacity(draft, name, draft.names)
  for (const name of draft.names.filter(isPart)) ignore(draft, 'filler', name)
  for (const { start, end } of draft.names.filter((name) => isHowItIs(draft, name))) {
    if (draft.claims.take({ start, end })) draft.must.push(one({ start, end }))
  }
  draft.names = draft.names.filter((name) => !isPart(name) && !isHowItIs(draft, name))
}

/** "A laptop, light, not too big": between commas, without an article, it is no lamp. */
const isHowItIs = ({ text, names }: Draft, { start, end, key }: Name): boolean => key === 'light'
  && names[0]?.start !== start && /[,;] ?(?:and )?$/.test(text.slice(0, start))
  && /^ ?(?:$|[,;.!]|and |but )/.test(text.slice(end))

function readPer(draft: Draft): void {
  // 单价最低的，一斤五块以内 says it twice.
  for (let turn = 0; turn < 2; turn += 1) {
    const per = perUnitIn(free(draft))
    if (!per || (per.isLimit && !isSoldBy(per, draft.text))) return
    if (draft.per?.per == null || (per.isLimit && !draft.per.isLimit)) draft.per = per
    ignore(draft, 'mode', per)
  }
}

/** 一升100以内 of a kettle is its size, and not what a litre may cost. */
function isSoldBy({ per }: FoundPer, text: string): boolean {
  const kinds = namesIn(text).flatMap(({ senses }) => senses.map(({ kind }) => kind))
  return per?.unit === 'piece' || per?.unit === 'pack' || kinds.length === 0
    || kinds.some(isConsumable)
}

function readMode(draft: Draft): void {
  draft.mode = modeIn(free(draft), draft.names)
  for (const place of [...draft.mode.spans, ...draft.mode.denied]) ignore(draft, 'mode', place)
}

function readFood(draft: Draft): void {
  const isPacked = draft.must.some(({ measure }) => measure !== undefined)
    || draft.quantities.some(({ unit }) => /[箱袋包盒罐提桶斤]/.test(unit ?? ''))
  draft.food = foodIn(free(draft), draft.names, isPacked, draft.text)
  const { said, dish, people = null, meant } = draft.food ?? {}
  if (people !== null && meant === 'yes') preferSize(draft, people)
  for (const place of said ? [said] : deliveriesIn(free(draft))) {
    // For how many it is stands in the same words.
    if (draft.prefer.some((wish) => overlaps(wish, place))) draft.claims.take(place)
    else ignore(draft, 'delivery', place)
  }
  // A dish that is no name of goods is sought by its own name: 麻辣烫 is not 麻辣.
  if (dish && !draft.names.some((name) => name.start <= dish.start && name.end >= dish.end)
    && draft.claims.take({ start: dish.start, end: dish.end })) {
    draft.keywords.push({ start: dish.start, end: dish.end, role: 'word' })
  }
}

/** A meal for two, which one for three does as well. */
function preferSize(draft: Draft, people: number): void {
  const words = people === 2 ? ['双人', '两人', '2人', '二人', '两杯', '2-3人']
    : people === 3 ? ['三人', '三至四人', '3人', '3-4人'] : ['四人', '三至四人', '4人', '3-4人', '多人']
  const { start, end } = draft.food ?? { start: 0, end: 0 }
  const isPeople = (wish: Draft['must'][number]): boolean =>
    wish.measure?.unit.startsWith('人') ?? false
  draft.must.splice(0, draft.must.length, ...draft.must.filter((wish) => !isPeople(wish)))
  draft.prefer.push({ start, end, places: [], words })
}

/** 糖尿病, 清真, vegan: what follows from them for the goods. */
function readConditions(draft: Draft): void {
  const text = free(draft)
  for (const { said, wanted, nearest = [], refused, on } of CONDITIONS) {
    for (const { 0: words, index } of text.matchAll(said)) {
      const place = { start: index, end: index + words.length }
      // 孕妇裤 and 减肥茶 are goods.
      if (draft.names.some((name) => overlaps(name, place))) continue
      // Whom it is for is read with the others that it may be for.
      if (wanted.length > 0 && !draft.claims.take(place)) continue
      if (wanted.length > 0) draft.must.push({ ...place, places: [], words: wanted, implied: on })
      if (nearest.length > 0) {
        draft.prefer.push({ ...place, places: [], words: nearest, isSoft: true })
      }
      // 低钠盐 is the salt for them.
      const isMade = (word: string): boolean => draft.names.some(({ start, end }) => {
        const name = draft.text.slice(start, end)
        return name.endsWith(word) && wanted.some((one) => name.startsWith(one))
      })
      for (const word of refused) {
        if (!isMade(word)) draft.mustNot.push({ ...place, places: [], words: [word] })
      }
    }
  }
}

/** 其他的不要 refuses nothing that goods have. */
const OTHERS = new RegExp('(?:其他|其它|别|另外|剩下)的?(?:颜色|款式?|类型|种类|牌子|品牌|材质|口味|型号)?'
  + '(?:我|都|就|也|一律|一概)*(?:不要|不考虑|不看|免谈|算了|不行)了?(?=$|[;,.。!?、 ])', 'gu')

function readRefusals(draft: Draft): void {
  for (const place of onlySuch(free(draft)).flat()) ignore(draft, 'filler', place)
  for (const { 0: said, index } of free(draft).matchAll(OTHERS)) {
    const place = { start: index, end: index + said.length }
    if (draft.claims.take(place)) draft.ignored.push({ ...place, why: 'filler' })
  }
  for (const clause of intolerances(free(draft), draft.claims)) refuse(draft, clause)
  for (const place of [...denials(free(draft), draft.names), ...latinDenials(free(draft))]) {
    if (draft.claims.take(place)) draft.must.push(one(place))
  }
  const read: Place[] = []
  const found = refusals(free(draft), draft.claims, draft.names)
  const objects = found.flatMap((clause) => clause.objects)
  // "No mint toothpaste, anything but mint": what is refused twice is no goods beside the others.
  const names = draft.names.filter(({ start, end, key }) =>
    !objects.some((one) => one.start === start && one.end === end)
    || !objects.some((one) => draft.text.slice(one.start, one.end).startsWith(`${key} `)))
  for (const clause of found) {
    // Of "no 别太…" the longer reading stands: what it refuses is refused once.
    if (read.some((other) => overlaps(other, clause))) continue
    read.push(clause)
    refuse(draft, clause, names)
  }
  refuseMeasures(draft)
}

/** 5号篮球不要，要7号的 refuses the size before the only name of goods. */
function refuseSize({ must, mustNot, names, text }: Draft, { objects, end }: Clause): boolean {
  const [name] = names
  const [object] = objects
  const isName = objects.length === 1 && names.length === 1 && object?.start === name?.start
    && object?.end === name?.end && /^[;,.。 ]*(?:想|我)?(?:要|来|换|买)/.test(text.slice(end))
  const at = isName ? must.findIndex((wish) => wish.measure && wish.end === name?.start) : -1
  if (at < 0) return false
  mustNot.push(...must.splice(at, 1))
  return true
}

function refuse(draft: Draft, clause: Clause, names: readonly Name[] = draft.names): void {
  if (refuseSize(draft, clause)) return
  draft.claims.occupy(clause)
  const objects = withoutGoods(draft.text, clause.objects, names)
  draft.mustNot.push(...each(objects, clause))
  for (const [index, object] of objects.entries()) {
    const whole = clause.objects[index] as Place
    // The goods behind what is refused are wanted, and still to be read.
    if (whole.end > object.end) draft.claims.release({ start: object.end, end: whole.end })
  }
  // 都行 of 除了粉色都行 belongs to the refusal, and is no word of the goods.
  const end = clause.objects.at(-1)?.end ?? clause.end
  if (/[\p{L}\p{N}]/u.test(draft.text.slice(end, clause.end))) {
    draft.ignored.push({ why: 'filler', start: end, end: clause.end })
  }
}

/** 不要27寸的: the measure was read before the refusal. */
function refuseMeasures({ text, must, mustNot, claims }: Draft): void {
  for (const wish of must.splice(0)) {
    const cue = /(?:不要|别要|不想要|(?<!是)不是|别是|without|no|not) ?$/.exec(
      text.slice(Math.max(0, wish.start - 10), wish.start))
    const start = wish.start - (cue?.[0].length ?? 0)
    const end = refusalAfter(text, wish.end) ?? refusalEnd(text, wish.end) ?? wish.end
    const isRefused = (cue && claims.isFree(start, wish.start))
      || (end > wish.end && claims.isFree(wish.end, end))
    if (isRefused) claims.occupy({ start, end })
    ;(isRefused ? mustNot : must).push(isRefused
      ? { ...wish, start, end } : wish)
  }
}

/** 今晚火锅，要底料、肥牛、毛肚 asks for goods. */
const isRowOfGoods = ({ text, names }: Draft, { objects, start, end }: Clause): boolean =>
  ((objects.length > 1 && text.startsWith('要', start))
    || /^(?:、|和|跟|以及|还有)/.test(text.slice(end))) && objects.every((object) =>
    names.some(({ start, end: last }) => start === object.start && last === object.end))

/** 有貔貅卖吗 asks whether there is any, and demands nothing of other goods. */
const ASKS_WHETHER = /^(?:请问|你们?|店里|这里|家)*有\p{Script=Han}{1,6}[吗么]$/u

function readDemands(draft: Draft): void {
  if (draft.names.length === 0 && ASKS_WHETHER.test(draft.text)) return
  for (const { objects, ...clause } of demands(draft.text, draft.claims, draft.names)) {
    if (isRowOfGoods(draft, { objects, ...clause })) continue
    const asked = withoutGoods(draft.text, objects, draft.names).filter((object) =>
      !draft.names.some((name) => overlaps(name, object))
      || draft.names.some((name) => name.start >= object.end))
    if (asked.length === 0 || !draft.claims.take({ start: clause.start, end: clause.end })) continue
    draft.must.push(...each(asked, clause))
    // What is not demanded, as the goods behind a feature, is read as any words are.
    const last = asked.at(-1)?.end ?? clause.end
    if (clause.end > last) draft.claims.release({ start: last, end: clause.end })
  }
}

function readAsides(draft: Draft): void {
  for (const one of ignoredIn(free(draft))) ignore(draft, one.why, one)
}

function readSuited(draft: Draft): void {
  addScenes(draft, true)
}

function readScenes(draft: Draft): void {
  addScenes(draft, false)
}

function addScenes(draft: Draft, withCue: boolean): void {
  for (const { object, ...scene } of scenesIn(free(draft), draft.claims)) {
    const hasCue = scene.start < object.start
    if (hasCue === withCue && draft.claims.take(scene)) draft.prefer.push(one(object, scene))
  }
}

function readFeatures(draft: Draft): void {
  const text = free(draft)
  for (const places of joined(text, attributesIn(text))) {
    const place = { start: places[0]?.start ?? 0, end: places.at(-1)?.end ?? 0 }
    draft.claims.occupy(place)
    draft.must.push({ places, ...place })
  }
}

/** 樱花香闻着头晕，换个别的味儿: what stands before is what they do not want. */
const CHANGE = new RegExp('换个?别的|换一[个种款]|给我别的|排除|谁爱[吃用穿要买]'
  // 要红色的, 别的颜色不要.
  + '|(?:别的(?:味|款|颜色|口味|样)|其他的)(?!\\p{Script=Han}{0,3}(?:不|免|算了))', 'u')

function readChange(draft: Draft): void {
  const change = CHANGE.exec(draft.text)
  if (!change) return
  for (const wish of draft.must.splice(0)) {
    const isRefused = !wish.measure && wish.end <= change.index
    ;(isRefused ? draft.mustNot : draft.must).push(wish)
  }
}

function readRest(draft: Draft): void {
  const kinds = draft.heads.flatMap(({ senses }) => senses.map(({ kind }) => kind))
  for (const { role, start, end } of restWords(free(draft), kinds)) {
    draft.claims.occupy({ start, end })
    if (role === 'must') draft.must.push(one({ start, end }))
    else if (role === 'prefer') draft.prefer.push(one({ start, end }))
    else addWord(draft, { start, end, role })
  }
  // Of several goods each is named.
  if (draft.more.length === 0) {
    draft.heads = draft.heads.filter((head) => !isOtherGoods(draft, head))
  }
  // 做酸辣土豆丝，缺土豆: the name that is none of goods is not the only one.
  if (draft.heads.length === 0 && draft.modifiers.length > 0 && !isBare(draft.text)) {
    Object.assign(draft, headsOf(draft.text, draft.modifiers))
  }
}

const LATIN_FEATURES = phrases(MATERIALS.filter((word) => /^[a-z]+ [a-z ]+$/.test(word)))

function readFillers(draft: Draft): void {
  for (const { start, end } of draft.claims.free()) {
    const words = draft.text.slice(start, end)
    if (!/[\p{L}\p{N}]/u.test(words)) continue
    const from = start + words.length - words.trimStart().length
    ignore(draft, 'filler', { start: from, end: from + words.trim().length })
  }
}
