/**
 * What a number has to reach where a verb says it, and no word of comparison: 扛得住一百三十公斤,
 * 能听60个小时, 13套或者更大, "holds up to 150 kg".
 */
import type { Place } from './claims.ts'

const NEAR = 24
const CAN = '装|挂|放|盛|坐|躺|睡|容|容纳|塞|跑|骑|飞|听|用|播|播放|撑|坚持|挺|待机|续航|连续[用听播]?|盖|罩|管|照|铺|扛|承|承受|承重|撑重'
const BEFORE = new RegExp(`(?:(?:扛|撑|顶|经|受|承|吃|装|放|坐|盛|容|塞|躺|睡|盖|罩|管|照|铺|跑|飞)`
  + `(?:得?[住起下到了够动]|得)(?:我|他|她)?`
  + `|(?:能|可以|得能|要能)(?:一次)?(?:${CAN})[个到上够它住下满得]{0,2}|够(?:[听用跑装放吃喝坐])?`
  + '|怎么[也着都]{1,2}[得要]?[有能个]*|少说[也得要有能]*|好歹[也得要有能]*|不能少|达到?|[起码]码得?'
  + '|(?<![早晚以之及往身床桌车墙路网线马头背脚手市店海宝])上)(?:大概|差不多)?$'
  + '|(?<![a-z])(?:(?:can|to|will|must|should|could) (?:hold|fit|last|support|cover|carry|reach|go'
  + '|bear|take|handle|run)|holds|fits|lasts|supports|covers|carries|reaches|handles)'
  + '(?: me| us| it)?(?: for)?(?: at least)? $')
const BEHIND = new RegExp('^(?:的|，|,)?(?:或者?|或是|和|及)(?:是|再)?(?:更[大多长高久宽厚重]|以上|往上|再往上'
  + '|大[一点]点)|^更[大多长高]的?也'
  + '|^ (?:or|and) (?:more|up|larger|bigger|longer|above|so or more)(?![a-z])|^(?:朝上|上头|以上的?)')
/** 怎么也得五米 has no more between them than what names the measure. */
const MOST =
  /(?:holds?|supports?|covers?|carry|carries|reach(?:es)?|fits?|lasts?)(?: me| us)? up to $/

/** 上千, 上一万; 上二年级 is no amount. */
const MANY = /^(?:[\d一二两三四五六七八九十几]*[百千万]|\d{3})/

/** Where it is said that a number is the least that will do. */
export function reachAt(text: string, { start, end }: Place): Place | undefined {
  const said = BEFORE.exec(text.slice(Math.max(0, start - NEAR), start))
  const isFew = said?.[0].endsWith('上') && !MANY.test(text.slice(start, start + NEAR))
  const before = isFew ? null : said
  const behind = BEHIND.exec(text.slice(end, end + NEAR))
  return before || behind ? { start: start - (before?.[0].length ?? 0),
    end: end + (behind?.[0].length ?? 0) } : undefined
}

/** "Supports up to 150 kg" asks for no less. */
export const isReach = (text: string, start: number): boolean =>
  MOST.test(text.slice(Math.max(0, start - NEAR), start))

const MORE = '大长高重宽厚粗深多久'
const LESS = '小短矮轻窄薄细浅少低'
const THAN = /(?:比|大过)$/
const COMPARED = new RegExp(`^的?(?:还|更|要|再|稍|略)*(?:([${MORE}])|[${LESS}])(?!小)(?:一?[点些号])?`)
const TOO = new RegExp('^(?:都|还是|还|也|就|实在|又|我?觉得|对我来说|有点)*'
  + `(?:(?:(?:太|偏|嫌|有点)[${LESS}]|不够[${MORE}])|(?:太|偏|嫌|有点)[${MORE}])[了些点]?(?=$|[ ,;.。!?])`
  + '|^ (?:is|was|are|were) (?:way |a bit |just )?too '
  + '(?:(?:small|short|light|thin|narrow|little|low)'
  + '|(?:big|large|long|heavy|thick|wide|tall|high|much))(?![a-z])')
const TOO_LITTLE = new RegExp(`不够|[${LESS}]|small|short|light|thin|narrow|little|low`)

export interface Comparison extends Place {
  readonly bound: 'least' | 'most'
  readonly apart: readonly Place[]
}

/** 比26寸大的, and 26寸的太小了: what goods have to be more or less than. */
export function comparisonAt(
  text: string, { start, end }: Place, names: readonly Place[],
): Comparison | undefined {
  const than = THAN.exec(text.slice(Math.max(0, start - NEAR), start))
  const compared = than && COMPARED.exec(text.slice(end, end + NEAR))
  if (compared) {
    return { start: start - than[0].length, end: end + compared[0].length, apart: [],
      bound: compared[1] === undefined ? 'most' : 'least' }
  }
  const of = end + (/^的? ?/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
  const name = names.find((one) => one.start === of)
  const from = name?.end ?? (text.charAt(end) === '的' ? end + 1 : end)
  const [said] = TOO.exec(text.slice(from, from + NEAR)) ?? []
  if (said === undefined) return undefined
  const bound = TOO_LITTLE.test(said) ? 'least' : 'most'
  return name ? { start, end, bound, apart: [{ start: from, end: from + said.length }] }
    : { start, end: from + said.length, bound, apart: [] }
}
