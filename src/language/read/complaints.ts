/**
 * What is complained of is not wanted again: 皮的太硬了, 上次买的竹席夹肉, "my old plastic one cracked".
 * A complaint counts where its object stands for goods of its own by 的, or where something else
 * is asked for.
 */
import type { Place } from './claims.ts'
import { byStart, type Draft, type DraftWish } from './draft.ts'

const TROUBLE = new RegExp('太(?!阳|好|棒|美|香|赞)|容易|易[碎坏脏断裂]|老(?:是|爱)?[发掉起生裂断坏漏卡有]|总(?:是|爱)?[发掉起生裂断坏漏卡有]'
  + '|发霉|生锈|起球|掉毛|掉色|掉漆|掉渣|开裂|[裂断碎坏破漏]了|生虫|长虫|有(?:一?股|点|异|怪|臭|霉|塑料)*味|味(?:道|儿)?(?:太|很|有点)?[大重冲]'
  + '|刺鼻|扎(?:人|脖子|肉|手|得|皮)|夹(?:肉|头发|手)|硌|闷(?:脚|汗|热|得)?|捂|不透气|过敏|难[受闻喝吃穿用洗看]|头晕|受不了|不舒服|烫手|不耐|不好[用洗喝吃穿看]'
  + '|不结实|不经用|(?<![a-z])(?:too|cracked|broke|rust(?:s|ed|y)?|sheds?|itch(?:es|y)|smell(?:s|ed|y)?'
  + '|leak(?:s|ed)?|peel(?:s|ed)|faded|irritat(?:es|ed)|hurts?|burns?|stinks?)(?![a-z])')
const OTHER = new RegExp('换|这[次回]|不想再|别的|其他|其它|想要|想买|改[用买]|(?<![a-z])(?:instead|other|another|replace'
  + '|different|something else|this time)(?![a-z])')
const BEFORE = /上[次回]|之前|以前|原来|旧的|(?<![a-z])(?:last|previous|old|current)(?![a-z])/
const END = /[;,.。!?、\n]/
const REACH = 10

/** Moves wishes that are complaints to what is refused. */
export function readComplaints(draft: Draft, named: DraftWish[]): void {
  const { text, must, mustNot } = draft
  for (const list of [must, named]) {
    for (const wish of list.splice(0)) {
      (isComplaint(text, wish) ? mustNot : list).push(wish)
    }
  }
  mustNot.sort(byStart)
}

function isComplaint(text: string, { start, end, measure }: DraftWish): boolean {
  if (measure) return false
  const clause = clauseAt(text, { start, end })
  const behind = text.slice(end, clause.end)
  const trouble = TROUBLE.exec(behind)
  if (!trouble || trouble.index > REACH) return false
  const isOwn = /^的(?!\p{Script=Han}{1,4}$)/u.test(behind) && trouble.index <= 3
  return isOwn || BEFORE.test(text.slice(clause.start, start)) || OTHER.test(text.slice(clause.end))
}

function clauseAt(text: string, { start, end }: Place): Place {
  let [from, to] = [start, end]
  while (from > 0 && !END.test(text.charAt(from - 1))) from -= 1
  while (to < text.length && !END.test(text.charAt(to))) to += 1
  return { start: from, end: to }
}
