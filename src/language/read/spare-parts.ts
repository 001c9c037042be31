/**
 * A part of goods that is no kind of its own here: 净水器的滤芯 is no purifier, nor is 拉杆箱的轮子 a
 * suitcase. What people name so is not sold; the whole is what comes nearest.
 */
import { getLexicon, keyOf, NAMED, OWN_NAME } from '../lexicon.ts'
import { overlaps, type Place } from './claims.ts'
import type { Draft } from './draft.ts'
import { hasName, meansKind, type Name } from './names.ts'
import { withoutPoliteness } from './phrasing.ts'
import { list } from './words.ts'

const PARTS = list(`滤芯|滤网|滤棉|轮子|脚轮|万向轮|肩带|背带|内胆|盖子|密封圈|胶圈|转盘|进水管|排水管|出水管|电源线|屏幕|主板|按键
  |旋钮|把手|拉手|提手|腿|靠背|刀头|风嘴|边刷|主刷|滚刷|尘袋|集尘袋|尘盒|水箱|杯盖|壶盖|排骨架|鼻托|镜腿|表盘|表扣|耳套|拉链头|伞骨|脚撑|车筐
  |座椅|头枕|扶手|门封|门封条|封条|灯罩|灯珠|电机|马达|加热管|加热盘|皮带轮|弹簧片|螺丝|垫片|外壳|后盖|电路板|传感器|玻璃盘|托盘
  |抽屉|层板|隔板|门把手|摇臂|脚垫片|吸嘴|手柄套`).sort((one, other) => other.length - one.length)
  .join('|')
const LATIN_PARTS = 'wheels?|straps?|lids?|filters?|caps?|handles?|knobs?|legs?|hinges?|gaskets?'
  + '|seals?|hoses?|motors?|buttons?|batter(?:y|ies)|remote|shelf|drawers?|screws?|bulbs?'
/** Between the goods and their part. */
const OF = '(?:上面?|里面?|后面|后座)?(?:的|用的|专用的?)?(?:替换|更换|备用|配套|原装|新|旧)?的?'
/** What may stand behind it; 滤网可水洗 tells of the goods. */
const BEHIND = '(?=$|[ ,;.。!?\\d]|坏|断|丢|没|裂|掉|松|老化|脏|旧|怎么|多少|[有卖要想换能买配吗呢吧单])'
/** 边刷和滤网. */
const MORE_PARTS = `(?:[和跟与、+](?:${PARTS}))*`
const PART = new RegExp(`^${OF}(${PARTS})${MORE_PARTS}${BEHIND}`)
const PART_FOR = new RegExp(`(?<![a-z])(?:${LATIN_PARTS}) for (?:(?:my|an?|the|our) )?$`)

const MORE_MAX = 8
/** What asks for the part, and does not only tell of it: 箱子轮子掉了，想要个行李箱. */
const WANTS = (part: string): RegExp => new RegExp('(?:[换买配要补求找]|need|want|replace|replacement)'
  + `[一几两]?[个只条套块根张]?(?:新的?)?(?: (?:an?|some|new|the))* ?${part}`)
const ASKS = /^ ?(?:单独|另外)?(?:有吗|有没有|有卖|怎么卖|多少钱|卖吗|卖不卖|单独卖|单卖)/

export interface SparePart extends Place {
  /** The goods that it is a part of. */
  readonly whole: Name
}

/**
 * Where goods and a part of them are named that nobody sells by itself. `surely` tells the kind
 * that the whole text means in all likelihood, if one.
 */
export function sparePartIn(draft: Draft, surely: () => string | undefined): SparePart | null {
  const { text, names } = draft
  for (const name of names.filter((one) => hasName(one, NAMED))) {
    const behind = PART.exec(text.slice(name.end))
    const ahead = PART_FOR.exec(text.slice(0, name.start))
    const part = behind?.[1] ?? ahead?.[0].split(' ')[0]
    if (part === undefined || isSold(name, part)) continue
    const kind = surely()
    if (kind !== undefined && !meansKind(name, kind)) continue
    const place = behind ? { whole: name, start: name.start, end: name.end + behind[0].length }
      : { whole: name, start: ahead?.index ?? 0, end: name.end }
    // 净水器的滤芯 PP棉: what is said behind it is of the part.
    const isAll = names.every((one) => overlaps(one, place) || !hasName(one, OWN_NAME))
      && withoutPoliteness(text.slice(0, place.start)).trim() === ''
      && /^(?:$|[ ,;])/.test(text.slice(place.end)) && text.length - place.end <= MORE_MAX
    if (isAll || WANTS(part).test(text) || ASKS.test(text.slice(place.end))) return place
  }
  return null
}

/** 灯泡 is goods of its own, and so is 牙刷刷头. */
const isSold = ({ key }: Name, part: string): boolean => isCalled(part, OWN_NAME)
  || isCalled(key + part, NAMED) || isCalled(`${key} ${part}`, NAMED)
const isCalled = (word: string, least: number): boolean =>
  (getLexicon().senses.get(keyOf(word)) ?? []).some(({ weight }) => weight >= least)
