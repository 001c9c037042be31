/**
 * Words before and after a number that say how it is meant. Each is looked for in a few characters
 * beside the number, so that a sentence is read in linear time.
 */
export const NEAR = 24

const either = (parts: readonly string[]): string => `(?:${parts.join('|')})`

const CEILING = either([
  '不(?:要|能|想|可以|可|得|会)?(?:花)?(?:超过?|超出|高于|大于|多于|贵于|过)了?', '别(?:超过?|高于)',
  '(?:控制|限制|保持)在', '最(?:多|高|贵|大)(?:不(?:能)?超过|是|到)?', '顶多', '至多', '上限(?:是|为)?',
  '低于', '少于', '小于', '不到', '不足', '便宜(?:于|过)', '<=?', '≤',
  '(?:can.?t|cannot|don.t want to|won.t|not going to|not) (?:spend|go|pay)'
    + '(?: more than| over| above| beyond| past)?',
  'under', 'below', 'less than', 'lower than', 'up to', '(?:no|not) (?:more|higher) than',
  'at most', '(?<!(?:pro|plus|ultra|mate|mini|air) ?)max(?:imum)?(?: of)?', 'within',
  'cheaper than', '(?:not|n\'t) (?:over|above|exceed)',
  'not exceeding', 'no over', 'spend up to', 'capped? at', 'limit(?: of| is)?',
])
const FLOOR = either([
  '不(?:要|能)?(?:低于|少于|小于)', '别(?:低于|少于)', '至少', '最(?:少|低|小)', '起码', '高于', '大于', '超过?',
  '多于', '不止', '>=?', '≥', 'over', 'above', 'more than', 'at least', 'higher than', 'from',
  'starting (?:at|from)', '(?:no|not) less than', '(?:no|not) (?:under|below)',
  'min(?:imum)?(?: of)?',
])
const ABOUT = either([
  '大概', '大约', '(?<![节预签合])约', '差不多', '将?近', '接近', '左右', 'around', 'about',
  'approx(?:imately|\\.)?', 'roughly', 'circa', 'nearly', 'near', '~', '≈', 'some',
])
const END = '(?:是|为|在|的|有|:| |¥|rmb|cny)*$'

export const CEILING_BEFORE = new RegExp(`${CEILING}${END}`)
export const FLOOR_BEFORE = new RegExp(`${FLOOR}${END}`)
export const ABOUT_BEFORE = new RegExp(`${ABOUT}${END}`)
export const BUDGET_BEFORE = new RegExp(
  '(?:预算|预计|打算花|准备花|想花|愿意花|花个?|手(?:里|头|上)(?:只)?有?|只有|我有|budget|spend(?:ing)?'
  + '|i have|i\'ve got|afford)'
  + '(?:大概|大约|差不多|也就|就|只|控制|全部|of|is|around|about|was|at|up to)*'
  + '(?:是|为|在|有|:|\\(| |of|is|¥|rmb|cny)*$')
export const PRICE_BEFORE = new RegExp(
  '(?:价格|价位|价钱|售价|单价|总价|定价|到手价?|券后价?|price[ds]?|costs?|costing|worth)'
  + '(?:大概|大约|差不多|around|about|range)*(?:是|为|在|的|:| |of|is|at|¥|rmb|cny)*$')

const SPACE = '^ ?'
export const CEILING_AFTER = new RegExp(SPACE + either([
  '之?以内', '之内', '以下', '之下', '以里', '里面', '内(?![存胆衣裤置部径饰])', '封顶', '顶天了?', '打住',
  '就够了?', '够了', '的?预算', 'budget(?![a-z])', '不到(?![位])', '为限',
  '(?:or|and|&) ?(?:less|under|below|lower|cheaper)',
  'max(?:imum)?(?![a-z])', 'tops(?![a-z])', 'at most',
]))
export const FLOOR_AFTER = new RegExp(SPACE + either([
  '及?以上', '之上', '起(?:步|跳|(?=$|[ ;,.。、!?的]))', '往上', '开外', '朝上', '\\+(?!\\d)',
  '(?:or|and) (?:more|up|above|over|higher)', 'plus(?![a-z])', 'upwards?',
]))
export const ABOUT_AFTER = new RegExp(SPACE + either([
  '左右', '上下', '前后', '附近', '来(?![自一个])', '(?:的)?样子', '-?ish(?![a-z])', 'or so', '价位(?:段)?',
  '档(?:位|次)?', '级别?(?!能效)', '差不多', 'price range',
]))
export const OUTSET_AFTER = /^ ?(?:出头|多(?!功能|用|层|色|口|款)|余(?:元|块))/
/** "超过500的不要" says the opposite of "超过500". */
export const REFUSED_AFTER =
  /^ ?的?(?:就|都|也|我|则|一律)*(?:不(?:要|考虑|买|看|行|用|推荐|接受)|别(?:推荐|给我|发)|免谈|算了|太贵)/
/** 别给我看三千以下的: what is refused is the other side. */
export const REFUSED_BEFORE = new RegExp('(?:别|不要|不想|不看|不考虑|不买|拒绝|排除|过滤掉?|去掉'
  + '|don\'t (?:show|want|need)(?: me)?'
  + '|nothing|not)(?:再|给我|给|看|推荐|买|要|发|来|什么|那些|那种|任何|anything)*(?:¥| )*$')
