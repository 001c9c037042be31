/**
 * What is complained of is not wanted again: 皮的太硬了, 上次买的竹席夹肉, "my old plastic one cracked".
 * A complaint counts where its object stands for goods of its own by 的, or where something else
 * is asked for.
 */
import type { Place } from './claims.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'
import { phrases } from './phrases.ts'
import { list } from './words.ts'

const TROUBLES = list(`容易|易碎|易坏|易脏|易断|易裂|发霉|生锈|起球|掉毛|掉色|掉漆|掉渣|掉屑|开裂|裂了|断了|碎了|坏了|破了|漏了|漏水|生虫|长虫
  |有味|有点味
  |有股味|有异味|有怪味|有臭味|有塑料味|有霉味|味大|味道大|味太大|味道太大|味太重|味道太重|味重|刺鼻|扎人|扎脖子|扎肉|扎手|扎得|扎皮肤|夹肉|夹头发|夹手|硌|闷脚
  |闷汗|闷热|太闷|捂|不透气|过敏|难受|难闻|难喝|难吃|难穿|难用|难洗|头晕|受不了|不舒服|烫手|不耐用|不耐脏|不好用|不好洗|不好喝|不好吃|不好穿|不结实|不经用
  |too|cracked|broke|rusts|rusted|rusty|sheds|itches|itchy|smells|smelled|smelly|leaks|leaked
  |peels|peeled|faded|irritates|hurts|burns|stinks`)
const TROUBLE = phrases(TROUBLES)
const MUCH = /太(?![阳好棒美香赞])|(?:老|总)(?:是|爱)?[发掉起生裂断坏漏卡]/
const OTHER = new RegExp('换|这[次回]|不想再|别的|其他|其它|想要|想买|改[用买]|(?<![a-z])(?:instead|other'
  + '|another|replace|different|something else|this time)(?![a-z])')
const BEFORE = /上[次回]|之前|以前|原来|旧的|(?<![a-z])(?:last|previous|old|current)(?![a-z])/
const END = /[;,.。!?、\n]/
const REACH = 10
const OWN_REACH = 3

/** Moves wishes that are complaints to what is refused. */
export function readComplaints(draft: Draft, named: DraftWish[]): void {
  const { text, must, mustNot } = draft
  for (const list of [must, named]) {
    for (const wish of list.splice(0)) {
      (!wish.measure && isComplaint(text, wish) ? mustNot : list).push(wish)
    }
  }
  mustNot.sort(byStart)
}

/** Whether trouble is told of what stands at the place. */
export function isComplaint(text: string, { start, end }: Place): boolean {
  const clause = clauseAt(text, { start, end })
  const behind = text.slice(end, clause.end)
  const at = Math.min(TROUBLE.find(behind)[0]?.start ?? Infinity,
    MUCH.exec(behind)?.index ?? Infinity)
  if (at > REACH) return false
  const isOwn = behind.startsWith('的') && at <= OWN_REACH
  return isOwn || BEFORE.test(text.slice(clause.start, start)) || OTHER.test(text.slice(clause.end))
}

function clauseAt(text: string, { start, end }: Place): Place {
  let [from, to] = [start, end]
  while (from > 0 && !END.test(text.charAt(from - 1))) from -= 1
  while (to < text.length && !END.test(text.charAt(to))) to += 1
  return { start: from, end: to }
}
