/** What was bought or shown before, of which nothing is kept: 和上次一样的, 刚才第二个. */
import type { Place } from './claims.ts'
import type { Draft } from './draft.ts'

const ONE = '[个款件双种条台只瓶支把]'
/** Of a row of goods that somebody looks at: 第二款有白色吗, and no 第一台弯把的. */
const NTH = `第[一二三四五六七八九\\d]${ONE}`
const NTH_ALONE = `${NTH}(?=$|[ ,;。!?有的怎多呢和跟哪贵便能还吗比不是])(?!的?(?:孩|娃|人))`
const NTH_ENGLISH = '(?<![a-z])the (?:first|second|third|fourth|other) one'
  + '(?= (?:in|with|please|cheaper)|[?,.!]|$)'
  + '|(?<![a-z])(?:ones?|item) you (?:just )?(?:showed|sent|recommended|listed|found)(?![a-z])'
const SHOWN = new RegExp('(?:刚才|刚刚|上面(?=的?第)|前面|你们?(?:刚才|刚刚)?(?:推荐|发|列|给)(?:我|过)?)'
  + `的?那?(?:${NTH}|${ONE})`
  + `|${NTH_ALONE}|刚[才刚](?:看|推荐|说|发)的|[跟和比像与]上一?[个款单件](?![月周星礼季世代])|上一[单款件]`
  + `|${NTH_ENGLISH}`)

const EARLIER = new RegExp('(?:[和跟比像](?:我们?)?)?(?:上次|上回|上个?(?:月|周|星期|礼拜)'
  + '|去年|前(?:几天|阵子|段时间)|之前|以前|刚才|前面)'
  + '(?:我|我们|在你?们?[^;,.。!?买]{0,4})?(?:买的|看的|那[个款件双副种瓶]|的|说的)'
  + '|比(?:我|我们)?(?:家)?(?:现在|目前|手头|正在)(?:用|穿|戴|有|睡|开|这|那)[的个款件双种瓶]'
  + '(?!坏|丢|旧|破|用|不)|再来一[份个单]'
  + '|(?:bought|got|ordered|had) (?:last time|before|previously)'
  + '|than (?:the one|what|(?:the|my) [a-z]+(?: [a-z]+)?) (?:i|we)'
  + ' (?:have|use|bought|got|had|ordered)'
  + '|(?:same|like|than|as) (?:the )?(?:one )?(?:last time|before|previous|earlier)'
  + '|(?:the )?(?:last|previous) one')

/** Who complains of an earlier purchase asks for no such thing. */
const AS_BEFORE = new RegExp('一样|同款|同样|再[来买要]|照着|[比像和跟](?:我们?|我家)?(?:上[次回]|之前|以前|刚才|前面|现在|目前)'
  + '|换个?(?:味道?|口味|香型|颜色|款式?|大小|尺[码寸]|号|牌子)'
  // 上次那款猫砂还有吗
  + '|(?:上[次回]|之前|以前)(?:我|我们)?(?:买|看|用)?的?那[个款件双副种瓶][^.。!?]{0,10}(?:还有|有没有|有货|还在)'
  + '|(?<![a-z])(?:same|again|like|as|than)(?![a-z])')

const COMPARED = /^(?:[和跟比像]|than |like |same |as )/

/** Where it is told. */
export function earlierAt(text: string): Place | undefined {
  const found = EARLIER.exec(text) ?? SHOWN.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

/** Whether something like it is wanted. */
export const asksAsBefore = (text: string): boolean => AS_BEFORE.test(text) || SHOWN.test(text)

/** 刚才第二个有没有便宜点的: of goods that nobody names here. */
export const refersToShown = ({ text, names }: Draft): boolean => names.length === 0
  && (SHOWN.test(text) || COMPARED.test(EARLIER.exec(text)?.[0] ?? ''))
