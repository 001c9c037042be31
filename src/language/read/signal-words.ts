/**
 * Words beside a number that say how it is meant, by their meaning. 不 and "not" turn what they
 * stand before into its opposite, so that 不低于 and "no more than" need no entries of their own.
 */
import { list } from './words.ts'

export const MEANINGS = ['most', 'least', 'about', 'outset', 'not', 'refused', 'each', 'total',
  'budget', 'price', 'between', 'show', 'hide', 'filler', 'none'] as const
export type Meaning = (typeof MEANINGS)[number]
export type Words = Readonly<Partial<Record<Meaning, readonly string[]>>>

const COUNTERS = [...'个件只条双瓶盒斤人套包支份台片张抽粒颗把部箱袋罐卷本位杯枚块间对辆根提桶', '公斤', '平米']
const with_ = (...before: readonly string[]): string[] =>
  before.flatMap((word) => COUNTERS.map((counter) => word + counter))

const ENGLISH_EACH = list(`piece|pair|item|person|head|kg|bottle|unit|one|box|pack|bag|set|guest
  |kid|child`)

const SHOWN = list('看|推|推荐|推送|发|来|买|选|上|整|拿|拿来|拿出来|拿过来|放上来|安利|展示|显示|列|提')
/** 别给我看, 不用推荐给我. */
const REFUSALS = ['别', '别再', '不要', '不用', '不必', '勿', '莫', '甭'].flatMap((not) =>
  ['', '给我', '帮我', '跟我'].flatMap((to) => SHOWN.flatMap((verb) =>
    [`${not}${to}${verb}`, `${not}${to}${verb}了`, `${not}${verb}给我`])))

export const BEFORE: Words = {
  most: list(`天花板|天花板就|红线|卡的线|卡线|顶破天|高不过|贵不过|多不过|往多了说|多了|最多|最高|最贵|最大|最重|最长|最宽|最厚|最晚|顶多|顶天|撑死|充其量
    |至多|上限|封顶|低于|少于|小于|短于|轻于|薄于|窄于|矮于|不到|不足|不满
    |没到|不够
    |便宜于|便宜过|控制在|限制在|保持在|压在|压到|打住在|<|<=|≤|＜
    |under|below|beneath|less than|lower than|lesser than|fewer than|smaller than|lighter than
    |shorter than|thinner than|cheaper than|up to|at most|at the most|max|maximum|maximally|within
    |inside|capped at|cap|cap of|cap at|cap is|ceiling|ceiling of|limit|limit of|limit is
    |max_price|max_budget|budget_max|maxprice|upper limit|not exceeding|as much as|tops
    |no higher than`),
  least: list(`低不过|少不过|少说|少说也|往少了说|最低价位|最低价格|价格下限|价位下限|最低价|高过|多过|贵出|起步|起步价|起价|底线|至少|最少|最低|最小|起码
    |最起码|最轻|最短|高于|大于|多于|贵于|贵过|长于|厚于|宽于|重于|超过|超出|超|过|超了|不止
    |不下|下限|>|>=|≥|＞
    |over|above|beyond|past|more than|greater than|higher than|bigger than|larger than|longer than
    |thicker than|wider than|heavier than|at least|at the least|from|starting at|starting from
    |starts at|anywhere from|exceed|exceeds|exceeding|min|minimum|minimum of|upwards of
    |min_price|min_budget|budget_min|minprice|north of|pricier than
    |more expensive than|no lower than|dearer than`),
  about: list(`大概|大概其|大概齐|估摸|估摸着|估摸是|约略|大约|约|约莫|约摸|差不多|接近|将近|近
    |左右|大致|around|about|approx|approx.|approximately|roughly
    |circa|in the neighborhood of|in the neighbourhood of|in the region of|in the range of
    |in the vicinity of|on the order of|to the tune of|somewhere close to|somewhere near
    |nearly|near|close to|like|~|≈|some|something like|somewhere around|ballpark`),
  not: list(`不让|不让我|不准|不准我|不许|不许我|不给|不给我
    |不|别|勿|莫|不要|不能|不想|不会|不可|不可以|不得|不用|不许|不准|不该|没|不必|别再|不要再|不愿意|不愿|不考虑|不看|不买|不接受|不需要|不推荐
    |不想要
    |不想看|不想买|别推|别推荐|不打算|没打算
    |don't wanna|dont wanna|don't wish to|rather not|not looking to|not keen to
    |not|no|nothing|nobody|no one|never|don't|dont|do not|can't|cant|cannot|can not|won't|wont
    |will not
    |not going
    |shouldn't|should not|mustn't|must not|wouldn't|isn't|doesn't|does not|without|neither of
    |hardly|none|n't|nor|neither`),
  total: list(`打包价|打包|整单|全部下来|一起下来|算下来|全算上|全算|全部算上|加一块儿|加一块
    |加在一起|加在一块|凑一起|凑一块|合一块|一起|总费用|总花费|总花销|总开销
    |总金额|总数|总共花|俩共|共|一总|总体|整体|两个加一起|一塌刮子
    |一共|总共|总价|总预算|总计|合计|共计|加起来|加一起|全部|全部加起来|合起来|总的|总|总额|总价格|拢共|统共
    |total|total of|total budget|total budget of|in total|altogether|all together|all in|in all
    |for everything|combined|the sum|sum total|the total|grand total|the lot|the whole lot|whole lot
    |the whole thing|the whole order|entire order|overall|the two of them|the bill`),
  each: [...with_('每', '每一', '一', '每1', '1', '单'), ...list(`人均|单价|单个|平均|均价|各|每|人均预算|平均每个|平均每人
    |each|apiece|each one|per person|per head|per item|per piece|each for|each at`)],
  budget: list(`经费|团费|班费|会费|公费|活动费|预备了|预备着|备了|拨了
    |剩|就剩|只剩|还剩|凑了|凑了个|凑出|卡在|卡在了
    |出|肯出|只肯出|愿意出|能出|出个|出到|付|愿意付|批了|只批了|就批了|只批|给批了|只给了|就给了
    |揣了|揣着|就揣了|身上有|身上就|身上只有|卡里|钱包里|心理价位|给报|报销|能报
    |给批|掏得起|拿得出
    |预算|预计|打算花|准备花|想花|愿意花|能花|花|花个|手里|手头|手上|手里有|手头有|手里只有|手头只有|就有|只有|我有|兜里|掏|出得起
    |budget|my budget|spend|spending|spend up to|i have|i've got|ive got
    |i've only got|i only have|only have|only got|we've only got|we only have
    |afford|pay|pays|paying`),
  price: list(`价格|价位|价钱|售价|定价|到手|到手价|券后|券后价|标价|价|卖价|报价|price|priced|prices|price range
    |cost|costs|costing|worth|priced at|going for|sells for`),
  between: list('between|介于|somewhere between|anywhere between'),
  hide: list(`信不过|不信任|不相信|不敢买|瞧不上|看不上|don't trust|dont trust|wouldn't trust|distrust
    |拒绝|排除|过滤|过滤掉|去掉|除去|跳过|屏蔽|skip|avoid|exclude|hide|ignore|leave out|filter out
    |drop|remove|refuse|refuse to|reject|rule out|not interested in|no need for`),
  show: [...SHOWN, ...list('show|see|recommend|suggest|give|send|list|offer|display|find')],
  filler: list(`给到|设成|设为|设在|设到|定在|定成|定到|满|要满|得满|单位|公司|只给|看都|是|为|在|有|从|的话|都|就|也|也就|还|要|想|想要|说|那|给
    |给我|帮我|什么|那些|那种|任何|所有|有没有
    |能不能|要不要|可不可以
    |是不是|会不会|想不想|超级|实在|千万|绝对|坚决|最好|尽量|一定|必须|全|这些|钱|再|太|花个|控制|目标|可以|能|范围|区间|大小|价格在|差|得|:|=|(|我
    |wanna|gonna|every|through|wish
    |is|are|was|be|it|its|'s|of|at|a|an|the|for|to|go|going|goes|me|my|us|i|want|need|any
    |buy|get|anything|something|stuff|things|items|products|ones|one|that|that's|which
    |please|should|would|must|has|have|keep|kept|stay|set|than|only|just|any|those|these|with|in
    |priced|prefer|preferably|ideally|look|looking|at,|somewhere|really|more|ever|willing|it's
    |i'd|i'll|we|need to|has to|have to|can|could|will|there|too|much|so|listed|selling|options`),
  none: list(`出差|出门|出国|出游|出行|出去
    |不差钱|不差|差钱|特价|半价|降价|原价|评价|最近|附近|节约|预约|签约|合约|公约|纽约|契约|大约是|特别|分别|区别|级别|性别|类别|告别|个别|识别
    |辨别|要不
    |好不好|对不对|行不行|贵不贵|差别|各别
    |经过|通过|不过|用过|买过|试过|看过|穿过|吃过|来过|有过|淹没|沉没|出没|没有没有|from home|pro max|plus max
    |ultra max|air max|mate max|mini max|iphone max|note|now|know|so far|hand over
    |left over|crossover|pullover|all over|made from|gift from|apart from`),
}

export const AFTER: Words = {
  most: list(`不能再多|不能再多了|再多不行|再多没有|再多没有了|再多就没有了
    |再多就不要|顶到天|一分不能多|想买|够买|够不够买|够不够|买得起|能拿下|要拿下|能搞定|到头|到头了|里头|里边|为顶|是天花板|为天花板|是红线|能买到
    |能买|能买到什么样|可以买到|买得到
    |以内|之内|以下|之下|以里|里面|内|及以内|及以下|封顶|顶天|顶天了|打住|够了|就够|就够了|够用|预算|的预算|不到|为限|为上限|上限|打底以下|往下
    |往下走|朝下|搞定|拿下
    |以内的预算|撑死|撑死了|顶多|顶多了|最多|最多了|为止|到顶|顶了|就好了|内搞定|以内搞定|之内搞定|左右封顶|已经是极限|是极限|是上限|是我的上限|极限|就是极限了
    |left|left on my card|left this month|left this week|left for it|left in my wallet|to my name
    |or less|and less|and not a cent more|and no more|not a penny more|or under|and under
    |or below|and below|or lower|or cheaper|or fewer
    |or smaller|or lighter|or shorter|and lower|and cheaper|max|maximum|tops|at most|at the most
    |budget|or so max|is my limit|is the limit|limit|is my max|is my budget|ceiling|is the max
    |is all i have|is all i can spend|to spend|at max|is the most`),
  least: list(`开始|往上看|往上挑|<|<=|≤|起看|起买|起挑|起选|打不住|以上|及以上|之上|起|起步|起跳|起底|打底|往上|往上走|开外|朝上|以上起|冒头以上|+
    |or more
    |and more|or up|and up
    |or above
    |and above|or over|and over|or higher|and higher|plus|upward|upwards|and upwards|or larger
    |or bigger|or longer|or thicker|or wider|or heavier|or better|or greater|minimum|min
    |at least|at minimum|and beyond|onwards`),
  about: list(`光景|的光景|上下浮动|;上下浮动|,上下浮动|;上下都行|;可以浮动|出入|左右|上下|浮动
    |前后|附近|来|样子|的样子|这样子|ish|-ish|or so
    |or thereabouts|价位|价位段|价位的|档|档位|档次|级|级别
    |差不多|差不多吧|price range|range
    |give or take|这个价位|的价位|那个价位|一带|吧`),
  outset: list('出头|出点头|出一点头|出点|多|多点|多一点|余|挂零|冒头|露头|好几|and change|something|and a bit|odd'),
  refused: [...REFUSALS, ...list(`不要|不要了|不想要|不考虑|不买|不看|不行|不用|不推荐|不接受|不需要|不可以|不想看|不予考虑|不必
    |免谈|免了|就免了|算了|拉倒|太贵|太贵了|都太贵|都太贵了|太便宜|太便宜了|太低|太高|嫌贵|嫌便宜|买不起|负担不起|接受不了|受不了
    |拿不出手|送不出手|看不上|瞧不上|没面子|排除|过滤|过滤掉|去掉|筛掉|跳过|pass|不敢买|不放心|不信|不信任|信不过|不靠谱|不踏实|看着就假|就不必了|没必要|不值得
    |超预算|超预算了|超出预算|不在考虑范围|不作考虑|勿扰
    |不结实|不耐用|没那个钱|没那么多钱|没钱|舍不得|不舍得|吃不消|承受不起|肉疼|不划算|看都不行|别说了|就别说了|别提了|就别提|说不过去
    |is too dear|is too dear for me|are too dear|is too steep|is beyond me|is beyond my budget
    |is over my budget|is out of my budget|is out of my reach|is out of reach
    |is too much|is too expensive|are too expensive|is too cheap|is out|are out|is no good
    |are no good
    |is not ok|is not okay|is a no|are a no|is a no go|is a no-go|is not an option|no thanks
    |won't do|wont do|isn't good enough|not for me|is not for me|is off the table|is junk
    |is out of the question|is too pricey|are not for me|i don't want|don't bother|no way`)],
  each: [...with_('一', '每', '每一', '/', '／', '1'),
    ...ENGLISH_EACH.flatMap((one) => [`per ${one}`, `a ${one}`, `an ${one}`, `/${one}`, `/ ${one}`,
      `each ${one}`, `for each ${one}`, `for one ${one}`, `for a ${one}`]),
    ...list('each|apiece|a pop|per|for each|人均|的单价|单价|each one|a head')],
  total: list(`全拿下|全部拿下|全包了|一共|总共|总价|总计|合计|总的|加起来|全部|全包|全部搞定
    |in total|total|altogether|all together|all in|in all
    |all up
    |for both|for all|for everything|for the lot|for the pair|for the set|for the whole lot
    |combined|for all of them|for both of them|for them all`),
  between: list('之间|中间|区间|范围|这个|之间的|范围内|区间内|之间吧'),
  price: list('元|块|块钱|钱|rmb|yuan|cny|大洋|人民币'),
  filler: list(`的|就|都|也|又|我|则|一律|一概|全|统统|真的|真|实在|坚决|绝对|千万|请|这种|那种|那些|东西|那就|还是|吧|呢|可|我可|我就|价格|价钱|话
    |的话|is|are|for
    |money|please|就可以|就行|都行|也行|都可以|可以|就好|也可以|都ok|好了|行`),
  none: list(`多功能|多用|多层|多色|多口|多款|多少|多个|多人|多件|多种|多合一|来自|来一|来个|来点|来两|内存|内胆|内衣|内裤|内置|内部|内径|内饰|内搭
    |内向|内窥|内外|内六角|级能效|不到位|档口
    |起泡|起球|起重|起床|起子|起钉|起司|起酥|起动|plus size|plus version|上下床|上下铺|上下水|上下层|吧台|样子货|前后双|前后摄|左右手|左右声道`),
}

/** Only where nothing goes on behind: 300起, but not 300起泡酒. */
export const ENDING: ReadonlySet<string> = new Set([...with_('一', '/', '／', '1'),
  ...list('最多|顶多|起|内|档|够了|搞定|拿下|吧|每|per|多点|级|极限')])
