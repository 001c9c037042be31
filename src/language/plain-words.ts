/**
 * How shoppers tell in plain speech for what or for whom goods are: a feature, scene or value that
 * has a word of the left side may be what somebody means who says one of the right. It orders
 * goods of kinds that have such a value, and says nothing of others. All folded.
 */
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { type Found, phrases } from './read/phrases.ts'
import { remembered } from './recent.ts'
import type { Value } from './understanding.ts'
import { attributesOf } from './values.ts'

interface Row {
  readonly words: readonly string[]
  readonly names: readonly string[]
  /**
   * What its names are. `!`: troubles, and who denies them wishes the same. `+`: people, which
   * others read as well. `*`: manners, and who says so wants none of the cheapest.
   */
  readonly mark: string
}

const ROWS: readonly Row[] = `
养宠|宠物家庭|宠物毛|宠物可用|毛发防|毛发不|粘毛发|防猫抓|猫抓不|防宠物|宠物异味|宠物掉毛=狗毛|猫毛|宠物毛|养狗|养猫|养了狗|养了猫|养宠|养着狗|养着猫|有狗|有猫
    |有宠物|毛孩子|狗子|主子|狗爱|猫爱|狗老|猫老|狗总|猫总|家里狗|家里猫|猫抓|狗抓|狗跳|猫跳|狗掉毛|猫掉毛|只猫|条狗|只狗|两只猫|三只猫|两只狗|两条狗
    |爱掉毛|老掉毛|天天掉毛|two cats|two dogs|three cats|pets|has pets|pet hair|dog hair|cat hair
    |a dog|a cat|dogs|cats|my dog|my cat|dog sheds|cat sheds|fur everywhere
多猫|多宠=两只猫|三只猫|四只猫|几只猫|一群猫|二胎猫|multiple cats|two cats|three cats|several cats
多犬|多宠=两条狗|两只狗|三条狗|几条狗|几只狗|multiple dogs|two dogs|three dogs|several dogs
电竞|手游|游戏低|游戏装机|射击游戏|办公游戏|游戏加速|游戏准星|打游戏|全键无冲|高刷=打游戏|玩游戏|打电竞|吃鸡|开黑|打lol|王者荣耀|原神|游戏用|上分|gaming
    |games|gamer|gamers|fps
低粉尘|少粉尘|不扬灰|防飞灰|不掉灰|少灰=灰小|灰少|没灰|没有灰|灰尘小|灰尘少|粉尘小|粉尘少|没粉尘|没有粉尘|不起灰|不起尘|不扬尘|灰别大|灰别太大|灰不大|灰太大
    |呛鼻子|low dust|dust free|dustless|less dust|not dusty|without dust|no dust
暴雨|防雨|压胶|渗水|雨季|雨天=下雨|大雨|暴雨|下大雨|淋雨|雨里|雨大|rain|rainy|storm|storms|heavy rain|downpour
    |rainproof
办公室|工位|办公=在公司|公司里|工位|办公桌|上班用|at work|office|my desk|cubicle
折叠|不占地|易收纳|好收纳|可收纳|省空间|省地|小户型|夹缝=放得下|塞床底|床底|床底下|底下|地方小|没地方放|占地方|占地|不占地方|别占地方|房间小|屋子小|屋小|家里小
    |家小|空间小|收得起来|不用时收|small apartment|small flat|tiny flat|tiny apartment|under the bed
    |under my desk|under the desk|tiny room|little space|small space|save space|saves space
    |put away|not much room|no room|stows away
新手|初学|入门|零基础|好上手|易学|易上手=新手|刚学|初学|初学者|刚开始学|没基础|零基础|小白|第一次学|第一次玩|入门|刚入门|刚接触|没学过|刚起步|从零
    |beginner|beginners|newbie|starter|just started|just starting|learning to|learning how
    |first timer|never played|from scratch|novice
大字|大屏|大按键|大键|背光大=字大|字体大|大字|眼神不好|眼睛不好|眼睛花|老花|看不清|看得清|眼花|字看不清|屏幕大|big print|large print
    |big numbers|large numbers|big digits|large digits|large display|big screen
    |poor eyesight|bad eyes|bad eyesight|easy to see
!静音|低噪|不吵|轻音=不吵|别吵|吵到|怕吵|声音小|没声音|安静|室友睡|室友在睡|同屋|会吵|太吵|别太吵|吵人|吵醒|吵着|老响|别响|会响|出声|有动静|roommate
    |roommates|thin walls|quiet|silent|wake the baby|wake up my|noise|noisy
不打鼾|止鼾|打鼾=打呼噜|打鼾|打呼|呼噜|snore|snores|snoring|snorer
网课|学习|备考|考研|写作业=学习用|上网课|网课|写作业|做作业|上课用|online class|online classes|online lessons|homework
    |studying|for study|study
轻便|轻巧|轻量|超轻|轻盈|轻身|小巧=轻身|轻便|轻一点|轻点|轻的|轻些|不沉|不重|别太重|别太沉|拎得动|提得动|拿得动|举得动|力气小|没力气|手没劲|lighter
    |lightweight|light one|light enough|not heavy|not too heavy|weak wrists|easy to carry
+老人|老年款|中老年|长辈|送父母|送爸妈|父母家=爷爷|奶奶|外公|外婆|姥姥|姥爷|老爷子|老太太|老爷爷|老奶奶|老头|老头子|太奶奶|太爷爷|老汉儿|老人
    |老人家|老年人|上了年纪|年纪大|岁数大|退休|大寿|八十寿|七十寿|长辈|爸妈|父母|公婆|二老|岳父母|双亲|爹妈|爹娘|老两口|岳父|岳母|丈母娘|老丈人|丈人
    |grandpa|grandfather|granddad|grandma|grandmother|granny|grandparents|parents
    |in-laws|father-in-law|mother-in-law|retired|elderly|senior|seniors
+送妈妈|妈妈款|送爸妈|送父母|送长辈|送女长辈|母亲节=妈妈|老妈|我妈|母亲|婆婆|岳母|丈母娘|阿姨|姑姑|姑妈|姨妈|舅妈|伯母|婶婶|母亲节
    |mom|mum|mother|mother-in-law|aunt
+送爸爸|送父亲|送岳父|送爸妈|送父母|送长辈|父亲节=爸爸|老爸|我爸|父亲|公公|岳父|老丈人|丈人|叔叔|舅舅|伯伯|姑父|父亲节
    |dad|father|father-in-law|uncle
+送女友|送老婆|送女生|情人节=女朋友|女友|老婆|妻子|媳妇|媳妇儿|未婚妻|情人节|七夕|girlfriend|wife|fiancee
+送男友|送男生|送老公=男朋友|男友|老公|丈夫|未婚夫|男票|boyfriend|husband|fiance
+送闺蜜|闺蜜=闺蜜|女闺蜜|小姐妹|bestie|best friend
+送朋友|伴手礼=朋友|好友|发小|哥们|哥们儿|兄弟|室友|亲戚|邻居|friend|friends|roommate|neighbor|neighbour
+送领导|商务送礼|商务宴请|送客户=领导|老板|上司|客户|甲方|boss|client|clients
+送礼|礼盒|礼品装|礼物|伴手礼|送长辈|送领导|送客户=送礼|送人|礼物|礼品|拜年|看望|探望|走亲戚|亲家
    |gift|gifts|present|presents
+生日|礼盒=生日|birthday
+婚礼|结婚|婚庆|新婚=结婚|婚礼|新婚|订婚|wedding
+年货|春节|过年=过年|春节|年货|new year
+送同事|伴手礼=同事|同事们|colleague|colleagues|coworker|coworkers
+送老师|教师节|教师=老师|班主任|教师|导师|教师节|teacher|teachers
+小学生=小学生
+中学生=初中生|高中生|中学生|初一|初二|初三|高一|高二|高三|teenager|teen
+学生=学生|大学生|初中生|高中生|中学生|student|students
乔迁|新居=乔迁|搬新家|新居|入伙|housewarming|new home
*体面|大气|轻奢|送领导|商务送礼|礼盒=体面|有面子|拿得出手|拿不出手|有档次|像样|气派|presentable|decent|classy
卡通|可爱|少女|萌=可爱|卡通|萌萌的|萌一点|少女心|cute|kawaii|adorable
+厨师|厨房=厨师|chef|chefs
+餐饮|商用|饭店|餐厅=餐馆|饭馆|饭店|餐厅|小吃店|食堂|开店|restaurant|cafe
+苏打|粗粮|杂粮|全麦|咸味|香葱|原味|海盐|海苔|椒盐|芝麻|高纤|低gi|荞麦|藜麦|无蔗糖|低糖|控糖=糖尿病|血糖高
    |高血糖|控糖|控制血糖|diabetic|diabetes|blood sugar
敏感肌|低敏|低刺激=敏感肌|皮肤敏感|容易过敏|爱过敏|易过敏|泛红|脸红|皮肤薄|sensitive|sensitive skin|easily irritated
一人食|一人|单人|独居=一个人|一人|自己吃|自己住|独居|单身|one person|single person|live alone|living alone
    |lives alone|just me|for myself|for one
三口|三人=一家三口|三口人|三个人|三口之家|family of three|three of us|family of 3
四口|四人=一家四口|四口人|四个人|四口之家|family of four|four of us|family of 4
大家庭|多口|五口|五人|大家子=一大家子|人口多|家里人多|五口人|六口人|七口人|五口之家|六口之家|大家子|big family|large family
    |family of five|family of six|family of 5|family of 6
家用双人|情侣|夫妻|二人|两人=两个人|俩人|两口子|夫妻|小两口|我和老公|我和老婆|couple|two of us|for two
宿舍|寝室|住校=宿舍|寝室|住校|上铺|下铺|dorm|dorm room|dormitory
出差|旅行|旅途|便携|差旅|外出|登机|飞机=出差|出远门|坐飞机|坐高铁|坐火车|带着走|随身带|出门带|带出门|带出去|旅游|旅行|背着走|travel|travelling
    |traveling|trip|business trip|on the go|flight|flights|carry around|portable
通勤|上班=挤地铁|坐地铁|坐公交|通勤|上下班|上班背|上班穿|上班路上|commute|commuting|subway|to work
自驾|车内|车载|后备箱|长途=车上|放车里|车里|开车|后备箱|跑长途|in the car|in my car|road trip|road trips|driving|trunk
露营|户外|野外=露营|野外|山里|camping|outdoors|campsite
应急|停电=停电|断电|没电的时候|power cut|power cuts|power outage|outages|emergency
出租|租房|小户型|免打孔|无痕=租房|租的|租的房|出租屋|合租|房东|renting|rented|rental|tenant|landlord
新房|装修|除甲醛|甲醛=新房|刚装修|新装修|装修完|甲醛|new house|new home|renovated|renovation
梅雨|回南天|除湿|防潮|潮湿=梅雨|回南天|潮湿|返潮|太潮|很潮|humid|damp|humidity
东北|极寒|北方冬季|冬季保暖|冬季户外|雪天|零下=东北|零下|冻手|冻脚|冻死|怕冷|冷得|freezing|below zero|cold winter|cold winters
    |snow
空调房=空调房|吹空调|空调开|空调直吹|air conditioning|air conditioned|ac room
健身|运动|训练=健身房|撸铁|健身|锻炼|gym|workout|workouts|working out
吸汗|排汗|速干|透气|防汗=出汗多|爱出汗|汗多|手汗|脚汗|汗脚|一身汗|出汗|流汗|sweat|sweats|sweaty|sweaty feet|sweaty hands
夜间|起夜|夜奶=起夜|半夜上厕所|摸黑|半夜喂奶|夜里喂奶|night feeds|middle of the night
久坐=久坐|坐一天|一坐一天|一坐就是|坐久|坐一整天|坐办公室|sit all day|sitting all day|desk job|long hours sitting
护腰|腰托|腰靠|腰枕|腰部|护脊|偏硬|支撑=腰疼|腰不好|腰酸|腰突|腰椎|腰痛|back pain|bad back|sore back|lower back
颈椎|护颈|颈部|肩颈=脖子疼|颈椎不好|颈椎病|颈椎疼|脖子酸|脖子不舒服|落枕|neck pain|stiff neck|sore neck
护膝|膝盖|缓震|减震=膝盖疼|膝盖不好|膝盖不行|bad knees|knee pain
!护眼|无频闪|低蓝光|类纸|防蓝光=hurt my eyes|hurts my eyes|eyes hurt|眼睛累|眼睛酸|眼睛干|近视|伤眼|费眼|怕伤眼|护眼
    |eye strain|tired eyes|easy on the eyes|easy on my eyes
!防摔|耐摔|抗摔|摔不=能摔|摔得起|老摔|爱摔|经常摔|摔不坏|摔不烂|老掉地上|老是掉|手滑|总摔|摔地上|drop it|drops everything
    |drops things|clumsy|keep dropping|keeps dropping|shatter
!防漏|不漏|密封|防洒=老漏|会漏|漏水|怕漏|洒包里|漏包里|漏一包|leak|leaks|spill|spills|leaking
易清洗|易清洁|好清洗|好清洁|自动清洗|蒸汽清洗|易拆洗|好洗|可水洗|可拆洗|好打理|可机洗|耐脏|易擦|好擦|一冲=懒得洗|好洗|难洗|容易洗|清洗方便|好清理|好收拾|好擦
    |弄脏|吐奶|尿床|easy to clean|easy to wash|hate cleaning|hate washing|wipes clean|wash easily
    |messy
!防滑|止滑=打滑|怕滑|怕摔|地滑|滑倒|slip|slippery|slips|slipping
!不掉色|不褪色|不易褪色|不易掉色=掉色|褪色|fade|fades
!不起球|不易起球|抗起球=起球|pilling|pills
!不变形|挺括|不易变形=洗了变形|会变形|走样|洗大|洗坏|loses its shape|lose shape|shrinks
!透气|不闷|网面=闷热|闷汗|捂汗|怕闷|太闷|捂脚|热得慌|stuffy|breathable|breathe
大容量|能装|装得多=装得多|能装|东西多|装很多|装得下|一大堆|hold a lot|holds a lot|lots of stuff|carry a lot|roomy
    |so much stuff
长续航|续航长|长待机=充一次|用得久|老没电|电不够|电不经用|电耐用|不用老充|long battery|battery lasts|lasts all day|dies fast
    |always dies
快充|闪充|充电快=充得快|充电快|快点充|charges fast|charge fast|quick charge
操作简单|一键|傻瓜|简单易用=不会弄|不会用|操作简单|别太复杂|不要太复杂|一按就|简单好用|傻瓜式|simple to use|easy to use
    |not tech savvy|simple controls|not complicated
免安装|易安装|好安装|安装简单|易组装=不会装|自己装|好装|容易装|easy to assemble|easy to install|no assembly
    |easy to set up
语音播报|会说话|报数|播报=会说话|报数|念出来|读出来|报出来|talking|speaks|reads out|says the
儿童锁|防夹|圆角|圆弧|无尖角|防撞|童锁=怕夹手|夹手|磕着|磕到|怕磕|熊孩子|乱按|乱摸|toddler proof|child proof|childproof
    |curious toddler|baby proof|sharp corners|sharp edges
速热|快热|快煮|即热|快速加热|加热快=热得快|马上热|等不及|热快点|heats up fast|heats fast|heats quickly|boils fast
自动关机|自动断电|定时|防干烧=忘关|忘记关|老忘|忘了关|自动关|定个时|forget to turn|shuts off|turns off by itself
    |turn itself off|auto off
预约=早上起来就|早起就|下班就能|睡前放|wake up to|ready when i
节能|省电|一级能效|低功耗=费电|电费|省电|electric bill|energy bill|electricity bill|power hungry
全遮光|高遮光|强遮光=不透光|怕光|上夜班|白天睡|有点光就|night shift|sleep during the day|pitch black|pitch dark
显瘦|遮肚|收腹|遮肉=显瘦|肚子大|遮肉|微胖|胖一点|腿粗|小肚子|有肚腩|slimming|my belly|tummy|flattering
显高|增高=个子矮|小个子|显高|个矮|petite|short girl|look taller
宽脚|宽楦|脚背高|脚宽=脚宽|脚胖|脚背高|脚肥|wide feet|high instep
!不磨脚|软底|不累脚|久站|久走=standing for|stand for hours|磨脚|走路多|走得多|站一天|走一天|站着上班|脚疼|blisters
    |on my feet all day|stand all day|standing all day|walk a lot|sore feet
面试|商务=面试|见客户|正式场合|interview|interviews|meet clients
婚礼|婚宴|结婚=参加婚礼|喝喜酒|吃喜酒|结婚用|wedding|weddings
约会|相亲=约会|相亲|date night|first date
拍照|出片|上镜=拍照好看|出片|拍照|photos|instagram
幼儿园|入园=上幼儿园|幼儿园|kindergarten|preschool|nursery school
小学=上小学|小学生|一年级|primary school|elementary school|first grade
考研|备考|考试=考研|备考|考公|刷题|复习|exam|exams|revision
直播|短视频|vlog=直播|拍视频|拍抖音|拍短视频|vlog|streaming|livestream|youtube|tiktok
视频会议|会议=开会|视频会议|开视频|zoom|video calls|conference calls|meetings
码字|程序员|编程=写代码|敲代码|码字|写文章|打字多|打字|programming|coding|typing|programmer|writer
追剧|影音|观影|影院=看电影|追剧|看剧|看电视剧|看片|movies|netflix|binge
绘画|画画|手绘|绘图=画画|画图|画漫画|画稿|drawing|sketching|digital art|draw
跑步|晨跑|夜跑=跑步|晨跑|夜跑|running|jogging
骑行|骑车=骑车|骑行|骑自行车|骑电动车|cycling|ride my bike|biking
徒步|登山|爬山=爬山|徒步|登山|hiking|hike|trekking
海边|沙滩=海边|沙滩|海南|三亚|beach|seaside
游泳|泳池=游泳|下水|swim|swimming
滑雪=滑雪|ski|skiing|snowboarding
烧烤=烤串|烧烤|撸串|barbecue|bbq
下酒=下酒|喝酒吃|喝酒时|with beer|with drinks
早餐=早饭|早餐|早上吃|breakfast
夜宵=夜宵|宵夜|晚上饿|半夜饿|midnight snack|late night snack
追剧=追剧吃|看剧吃
益智|启蒙|早教|锻炼思维=动脑|益智|开发智力|启蒙|educational|brain
解压|减压=解压|压力大|发泄|减压|stress|stressed
亲子=陪孩子|和孩子|跟孩子|陪娃|with my kids|with my kid|with the kids|with my son|with my daughter
助眠|安睡|睡眠|好眠=睡不着|失眠|睡不好|睡眠差|睡眠浅|助眠|can't sleep|insomnia|light sleeper|sleep better
    |trouble sleeping
侧睡=side sleepers|侧着睡|侧睡|侧躺|side sleeper|sleep on my side|side sleeping
熬夜=熬夜|late nights|stay up late
控油|油皮|清爽=出油|爱出油|很油|油得|脸油|太油|油光|大油田|油皮|oily|shiny face|greasy face
干皮|保湿|补水|舒缓干燥=起皮|干得|皮肤干|脸干|卡粉|紧绷|dry skin|flaky|flakes off
祛痘|痘肌|净痘=长痘|冒痘|痘痘|爆痘|acne|breakouts|pimples
抗皱|紧致|淡纹=皱纹|细纹|法令纹|显老|松弛|wrinkles|fine lines|aging
美白|提亮|去黄=脸黄|暗沉|黄气|肤色暗|dull skin
去屑|止痒=头屑|头皮屑|头皮痒|dandruff|itchy scalp
防脱|固发=掉头发|脱发|掉发|发际线|hair loss|thinning hair
蓬松=头发塌|扁塌|头发少|发量少|细软塌|flat hair|limp hair|fine hair
修护|受损|柔顺=毛躁|分叉|烫坏|染坏|frizzy|damaged hair|split ends
!除臭|除味|去异味|祛味|防臭=脚臭|臭味|味道大|味大|异味|有味|好臭|很臭|太臭|smelly|stinky|odor|odour|smells|stinks
驱蚊|防蚊=蚊子|招蚊子|蚊虫|mosquito|mosquitoes|bugs
!防霉|抗菌|防潮=发霉|长霉|mold|mould|mildew
耐磨|耐用|结实|加固|加粗|牢固|不易断=结实|耐用|经用|耐造|容易坏|老坏|皮实|sturdy|durable|won't break|lasts for years
    |falls apart
!抗风|防风|加固|不翻=风大|大风|刮风|老翻|吹翻|被风|wind|windy|flips inside out
不伤手|温和|不伤皮=手嫩|手干|手糙|伤手|手过敏|sensitive hands|rough hands|dry hands
无痛|微痛|不疼|少痛=怕疼|怕痛|别太疼|painless|less pain|afraid of needles
稳固|不晃|防抖|牢固=路颠|颠簸|颠得|晃得|bumpy|wobbly|wobbles|shaky
通便|便秘|肠道=便秘|排便|拉不出|constipated|constipation
肠胃|易消化|好消化|益生|便便成型=肠胃不好|肠胃弱|拉肚子|软便|消化不好|sensitive stomach|sensitive tummy|upset stomach
小手|小巧|轻巧=手小|小手|small hands
冬季|加绒|保暖|羊羔绒|珊瑚绒|法兰绒=怕冷|冬天|大冬天|winter|cold weather|always cold
夏季|冰丝|凉感|透气|薄款=怕热|夏天|大热天|天热|summer|hot weather|runs hot
承重|大体重|缓震|减震|支撑=体重|胖人|体重大|二百斤|两百斤|胖子|heavy person|heavy guy|overweight|big guy
防水|防泼|ipx=防水|不怕水|waterproof|water resistant|get wet|gets wet
防水|防滑|防雨|防泼=雨天走|雨天穿|下雨天|下雨穿|雨天骑|in the rain|wet weather
防水|ipx|浴室|防潮=洗澡用|洗澡听|洗澡时|浴室用|浴室里|in the shower|bathroom
`.trim().replace(/\n +(?=\|)/g, '').split('\n').map((line) => {
  const [mark = ''] = /^[!+*]?/.exec(line) ?? []
  const [words = '', names = ''] = line.slice(mark.length).split('=')
  return { words: words.split('|'), names: names.split('|'), mark }
})

/** 禁装游戏 is for who wants none, and 老年犬 for no grandfather. */
const AGAINST = /禁|防沉迷|防误|老年[犬猫宠大]|圣诞老人|老板|卧床/

const ROWS_OF = new Map<string, Row[]>()
for (const row of ROWS) {
  for (const name of row.names) ROWS_OF.set(name, [...ROWS_OF.get(name) ?? [], row])
}
const NAMES = phrases(ROWS_OF.keys())

const KINDS_MAX = 400

/** Values, features and scenes of a kind. */
export const plainValues = remembered(KINDS_MAX, (kind: string): readonly Value[] => {
  const found = taxonomy().kinds.get(kind)
  if (!found) return []
  return [
    ...attributesOf(found).flatMap(({ name, values }) =>
      values.map((value) => ({ text: fold(value), attribute: name }))),
    ...[...found.features, ...found.scenes].map((one) => ({ text: fold(one), attribute: null })),
  ]
})

/** Where a text may tell of such values. */
export const plainWordsIn = (text: string): Found[] => NAMES.find(text)

const marked = (sign: string): ReadonlySet<string> =>
  new Set(ROWS.filter(({ mark }) => mark === sign).flatMap(({ names }) => names))

const TROUBLES = marked('!')
export const isComplaint = (phrase: string): boolean => TROUBLES.has(phrase)

const PERSONS = marked('+')
/** Whether it says for whom goods are bought. */
export const isForWhom = (phrase: string): boolean => PERSONS.has(phrase)

const MANNERS = marked('*')
/** Whether it says that a present should look like something. */
export const isManner = (phrase: string): boolean => MANNERS.has(phrase)

/** The values of the kind that somebody may mean who says so. */
export const valuesMeant = (kind: string, phrase: string): readonly Value[] =>
  [...new Set(ROWS_OF.get(phrase)?.flatMap(({ words }) => plainValues(kind).filter(({ text }) =>
    words.some((word) => text.includes(word)) && !AGAINST.test(text))) ?? [])]
