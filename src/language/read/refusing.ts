/** How refusals stand behind what they refuse: 硅胶的就别推给我了, 羊毛的劝退, 合金的拜拜. */
import { list } from './words.ts'

const SHOWN = '推荐?|推送|安利|介绍|展示|显示|列|提|发|看|来|要|买|上|选|挑|拿|弄|整|放|加|给'
/** 不要推给我了, 勿推荐, 就不用给我看: nothing of it is to be shown. */
/** 手不用拿 tells how goods are used. */
const SHOW_NONE = '(?<!手)(?:别|不要|不用|不必|不需要|无需|甭|莫|请?勿)(?:再|老|总|净|光)?(?:[给帮跟向和为往朝]我(?:这[边儿里]?)?)?'
  // 别推荐要打孔的 refuses what follows.
  + `(?:${SHOWN})(?:[给到]我(?:看|推)?|[过出上]?来)?(?!要[^;,.。!?、 要]{1,6}的)`
  + '|(?:别|不要|不用|甭|勿)再?给我'
/** Whoever says so turns from it. */
const TURNED = list(`除外|排除|免了|免谈|算了|拉倒|拉黑|劝退|退退退|退散|退下|谢绝|婉拒|敬谢不敏|勿扰|打扰了|再见|拜拜|走开|快走开|走远点|滚蛋
  |滚开|滚远点|一边去|靠边站|省省|大可不必|不感冒|没兴趣|无感|无爱|接受无能|不予考虑|不在考虑范围|不在考虑之列
  |避雷|避开|绕开|绕道|绕路|踢掉|排掉|筛掉|划掉|剔除|去除掉|过滤掉|屏蔽|屏蔽掉|跳过|忽略|淘汰|要淘汰|该淘汰|出局|雷区|达咩
  |求放过|放过我|禁止|不稀罕|不来了|不必了|就不必了|就不考虑了|闻够了|吃够了|喝够了`)

export const REFUSED_BEHIND = `${SHOW_NONE}|${TURNED.join('|')}`
  + '|(?<=[^\0-\x7f] ?)(?:say ?)?(?:ban|out|bye|byebye|no|pass)[掉了]?(?! ?[a-z])'

/** Bikinis need not apply, "ankle ones are out", "mint is not my thing". */
export const REFUSED_BEHIND_LATIN = '(?:(?:is|are) (?:out|a (?:hard )?(?:no|pass)(?:[ -]go)?'
  + '|off the table|not (?:ok(?:ay)?|an option|allowed|wanted|welcome|for (?:me|us|him|her)'
  + '|my (?:thing|style|taste|cup of tea)))|(?:isn\'t|aren\'t) (?:my (?:thing|style|taste)'
  + '|for (?:me|us|him|her))|(?:need )?not apply|banned|can stay away)'
