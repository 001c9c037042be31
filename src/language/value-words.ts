/**
 * What shoppers call values of every kind of goods: a value that has a word of the left side is
 * also called by those of the right. The names of single values are in config/taxonomy.
 */

/** Of several words of one line the longest stands: 特大号 is not 大号. All folded. */
export const VALUE_WORDS: readonly (readonly [
  words: readonly string[], names: readonly string[],
])[] = `罐装|听装|易拉罐=罐子|罐|罐子装|罐子里|易拉罐|听装|铁罐|canned|can|cans|tin
瓶装|玻璃瓶=瓶子|瓶|瓶子装|瓶子里|bottled|bottle|bottles
袋装=袋子|袋|袋子装|袋子里|bagged|bag|bags|pouch
盒装=盒子|盒|盒子装|盒子里|纸盒|boxed|box|boxes|carton
桶装=桶|桶子|大桶|桶里|tub|bucket|barrel
条装|小条=一条一条|一小条一小条|一小条|小条|stick|sticks|stick packs
杯装=杯子|杯子装|cup|cups
散装=散的|零散|散称|不带包装|loose|bulk
礼盒|礼盒装=礼盒|gift box|gift boxed|gift set|boxed set
独立包装|独立小包|小包装=独立小包装|一小包一小包|单独包装|分开包装|individually wrapped|single serve
抽取盒装|抽取式=抽取|抽的|抽纸那样|pop up|pull out
小颗粒=小零件|小块|零件小|小碎件|small parts|small pieces
小号=小的|小个|小尺寸|小码|小一号|最小号|small|small size|size s|size small|s号|s码
中号=中等|中等大小|中码|不大不小|medium|medium size|mid size|m号|m码
大号=大的|大个|大尺寸|大码|large|large size|big size|l号|l码
特大号|超大号|加大号=特大|超大|加大|最大号|加大号|超大号|xl号|xl size|extra large|x large|jumbo
加厚=厚的|厚一点|厚实|thick|thicker|thickened
薄款|超薄=薄的|薄一点|thin|thinner
特辣|变态辣|爆辣|超辣=最辣|很辣|特别辣|超级辣|巨辣|非常辣|extra spicy|very spicy|extra hot
中辣=中等辣|一般辣|medium spicy|medium hot
不辣|微辣=不太辣|不要太辣|别太辣|not too spicy|not very spicy
微辣=有点辣|一点点辣|稍微辣|微微辣|小辣|少辣|不怎么辣|mild|mildly spicy
微辣=slightly spicy|a little spicy
低糖|少糖|减糖|微糖=糖少|糖少点|少放糖|少放点糖|不太甜|没那么甜|不那么甜|low sugar
低糖|少糖|减糖|微糖=less sugar|reduced sugar|less sweet|not too sweet
无糖|无添加糖|无蔗糖=没放糖|不额外加糖|no added sugar|without added sugar|unsweetened|zero sugar|no sugar
低脂=脂肪少|油少|low fat|reduced fat
减盐|低盐|薄盐|低钠=盐少|不太咸|别太咸|少盐|清淡|low salt|low sodium|less salt|reduced salt
低因=不含咖啡因|没有咖啡因|没咖啡因|去咖啡因|decaf|decaffeinated|caffeine free|no caffeine
特级|特级果=最高级|顶级|最高等级|最好等级|极品|premium grade|top grade|highest grade|superior
一级|一级果=一等|grade one|first grade|grade 1
二级|二级果=二等|grade two|second grade|grade 2
黑白=单色|不用彩色|不用彩印|不打彩色|不要彩色|monochrome|mono|black and white|b&w
彩色|全彩=彩印|彩打|带颜色|colour|color|coloured|colored|full colour|full color
干电池|电池款|电池供电=装电池|用电池|放电池|电池的|battery|batteries|battery powered|battery operated
干电池=5号电池|7号电池|五号电池|七号电池|aa|aaa|aa battery|aa batteries
usb充电|充电=充电的|充电款|可充电|能充电|充电式|usb充|rechargeable|usb charging|usb rechargeable
锂电=充电的|可充电|能充电|充电式|rechargeable|cordless
插电=插电的|插插座|接电源|插线|plug in|plugged in|mains|mains powered|corded
太阳能=晒太阳|不用电池不用插电|solar|solar powered
手动=不用电|不用充电|不插电|不用插电|手摇|用手|人工|manual|hand operated|non electric
电动=用电的|带电的|通电|electric|motorized|motorised|powered
无线=不要线|没有线|不用线|不带线|没线|不插线|wireless|cordless|no wires|no cord|no cable
有线=带线|插线的|有线的|带电线|wired|corded|with cord|with cable
触控|触摸=触屏|摸一下|点一下|touch|touchscreen|touch control
按键=按钮|有按键|实体键|按的|button|buttons|physical buttons
语音=说话控制|声控|喊一声|动嘴|voice|voice control|voice controlled
遥控=遥控器|带遥控|remote|remote control|remote controlled
app=手机控制|手机操控|手机能控制|手机可以控制|连手机|手机上|phone app|app control|smartphone control
旋钮=拧的|转钮|knob|dial
感应=自动感应|挥手|不用碰|sensor|touchless|motion sensor|contactless
魔术贴=粘扣|粘的|刺毛贴|子母扣|魔鬼粘|撕拉|一撕|一粘|velcro|hook and loop
系带|绑带=系鞋带|鞋带|绑鞋带|要系的|系绳|laces|lace up|shoelaces|tie up|tie on
一脚蹬=懒人|不用系|不系带|不系鞋带|不用系鞋带|不用绑|不用弯腰|没鞋带|slip on|slipon|no laces|without laces
拉链=拉锁|带拉链|zip|zipper|zippered|zip up
免打=不用打|不用自己打|不用系|不会打|一拉就好|pre tied|pretied|clip on|zipper
按扣|子母扣=扣子|按扣|snap|snaps
束口|抽绳=抽绳|拉绳|收口|抽口|drawstring
磁吸|磁性|磁扣|磁力=吸铁石|磁铁|带磁|有磁|吸上去|magnetic|magnet
吸盘=吸的|吸墙|吸在墙上|suction|suction cup|suction cups|sucker
免打孔=不打孔|不用打孔|不钻孔|不用钻|不用钻孔|不伤墙|no drill|no drilling|drill free|without drilling
自粘|粘贴|背胶=贴的|带胶|背胶|粘上去|adhesive|self adhesive|stick on
壁挂|挂墙=挂墙上|挂墙|墙上|上墙|挂在墙上|wall mounted|wall mount|wall hanging|wall
落地=放地上|立地上|站地上|放在地上|floor standing|freestanding|floor
桌面|台式|台面=放桌上|桌上|摆桌上|放桌子上|desktop|tabletop|countertop|table top
吊式|悬挂|吊挂=吊着|挂起来|吊起来|挂着|吊的|hanging|hangs|suspended|hang
嵌入=嵌进去|嵌柜子|内嵌|built in|recessed|embedded
夹式|夹子|台夹=夹的|夹上|夹住|夹在|夹个|夹一个|clip on|clip onto|clips on|clips onto|clip|clamp|clamps on|clamps to
双肩|背包=背着|背上|背在背上|背身上|双肩背|backpack|on the back
单肩=背肩上|挎肩|肩上背|背在肩上|一边肩|shoulder|shoulder strap|one shoulder
斜挎=斜背|挎着|斜着背|crossbody|cross body|messenger
手提=提的|拎的|拎着|手拎|提着|tote|top handle|hand carry
拉杆=拉着走|拖着走|trolley|wheeled|rolling
手持=拿手上|拿在手上|手拿|拿着|手握|handheld|hand held
折叠=能折|折起来|可以折|能折起来|折得起来|收起来|能收|foldable|folding|collapsible|fold up|folds
伸缩=伸长|能拉长|可以伸长|能伸长|可伸缩|能伸缩|拉长|telescopic|extendable|extending|retractable
充气=吹气|打气|吹起来|inflatable|blow up|air filled
可调|多档可调=能调|可以调|能调节|可调节|adjustable
旋转=能转|会转|可以转|转的|rotating|swivel|spinning
可拆=能拆|拆下来|拆得下来|可以拆|能取下|detachable|removable
不倒翁=打不倒|站起来|自己站起来|会站起来|自己会站起来|弹回来|self righting|roly poly
带盖|有盖=盖子|有盖子|带盖子|lid|lids|with lid|with a lid|covered
亚克力=有机玻璃|acrylic|plexiglass|perspex
玻璃钢=玻纤|fiberglass|fibreglass
硅胶=软胶|矽胶|silicone
橡胶=胶皮|rubber
红陶|陶土=瓦盆|陶土|土陶|terracotta|clay
黄铜|紫铜|纯铜=铜|铜的|brass|copper
铂金=白金|platinum
银=银|银的|银子|silver
足金|黄金=金子|纯金|gold|pure gold
羊羔绒=羔羊毛|羊羔毛|羔羊绒|sherpa|lambswool
记忆棉=慢回弹|memory foam
桑蚕丝|真丝|蚕丝=真丝|丝绸|silk|real silk|mulberry silk
软木=cork
孕妇=怀孕|怀孕的|怀了|怀孕了|有身孕|准妈妈|孕期|大肚子|pregnant|pregnancy|expecting
孕早期=怀孕一个月|怀孕两个月|怀孕三个月|怀孕1个月|怀孕2个月|怀孕3个月|刚怀孕|刚怀上|怀孕初期|头三个月|first trimester|early pregnancy
孕中晚期|孕中期=怀孕四个月|怀孕五个月|怀孕六个月|怀孕七个月|怀孕4个月|怀孕5个月|怀孕6个月|怀孕7个月|怀孕中期|second trimester
孕中晚期|孕晚期=怀孕八个月|怀孕九个月|怀孕8个月|怀孕9个月|怀孕后期|快生了|third trimester|late pregnancy
哺乳期=喂奶|产后|坐月子|生完孩子|breastfeeding|nursing|lactation
老人|老年=长辈|爸妈|爷爷奶奶|年纪大|上年纪|elderly|seniors|old people
儿童=小孩|小孩子|孩子|小朋友|娃|kids|children|child
成人|成年=大人|成年人|成年|adult|adults|grown up|grown ups
冬被|冬季|冬款|冬天=冬|冬天|冬天盖|冬天穿|冬天用|大冬天|过冬|天冷|winter
夏被|夏季|夏款|夏天=夏|夏天|夏天盖|夏天穿|夏天用|大夏天|天热|summer
春秋=春|秋|春天|秋天|春秋天|换季|spring|autumn|fall
四季|四季通用=一年四季|全年|all season|all seasons|year round|all year
原味=不加味|原来的味道|不加别的味|original|plain|unflavored|unflavoured
芝士|芝心=芝士|起司|奶酪|cheese|cheesy
橙子|甜橙=橙子|橙汁|orange juice|柳橙|香橙|orange
草莓=士多啤梨|strawberry
番茄=西红柿|tomato
土豆=马铃薯|洋芋|薯仔|potato
猕猴桃=奇异果|kiwi
菠萝=凤梨|pineapple
车厘子=樱桃|cherry
三文鱼=鲑鱼|salmon
金枪鱼=吞拿鱼|鲔鱼|tuna
红薯=地瓜|番薯|sweet potato
玉米=苞米|粟米|corn
百香果=passion fruit|passionfruit
糯=糯的|糯|sticky|waxy|glutinous
英标=英国|伦敦|英式|香港|uk|britain|british|england|london|hong kong
欧标=欧洲|德国|法国|意大利|西班牙|巴黎|europe|european|eu|germany|german|france|italy|spain
美标=美国|日本|加拿大|东京|大阪|纽约|us|usa|america|american|japan|japanese|tokyo|canada
澳标=澳洲|澳大利亚|新西兰|悉尼|australia|australian|sydney|new zealand
冷冻=冻的|冰冻|冻货|速冻|frozen
冰鲜|冷鲜=冷藏|没冻过|chilled|fresh chilled|never frozen
鲜活=活的|活蹦乱跳|现活|live|alive
全遮光=完全遮光|完全不透光|不透光|一点光都不透|一点光都没有|blackout|total blackout|completely dark
有声=会发声|会响|能发声|带声音|出声|发声|有声音|talking|with sound|sound
热敷|蒸汽|发热=加热|发热|发烫|会热|heated|heating|heat up|heats up|warming
支架=带支架|架子|带架子|stand|with stand
高帮=high top|high tops|hightop|高筒|高腰
低帮=low top|low tops|lowtop|矮帮|低筒
中帮=mid top|mid tops
素圈|素面=plain|光面|光圈|没有花纹|没花纹|不带花纹|没有图案|simple band
纯色=没图案|没有图案|不带图案|净色|素色|一个颜色|不花|素的|solid|plain|solid color|solid colour
条纹=条条|条子|stripe|striped|stripes
格纹|格子=格子|plaid|checked|tartan|gingham|checkered
碎花=小花|带花|floral|flowers|flowery
卡通=cartoon|动画|动漫
弯刷=弯的|弧形|curved|curved brush
细刷=刷头小|刷头细|小刷头|细的|slim brush|thin brush
防水=不怕水|不进水|泡水|waterproof|water proof|water resistant
长款=长的|长一点|long
短款=短的|短一点|short
三分=超短|到大腿|大腿|shorts
五分=到膝盖|及膝|膝盖|knee length|到膝
七分=到小腿|小腿|capri|calf length
九分=到脚踝|露脚踝|脚踝|ankle length|cropped
微喇|喇叭=喇叭|喇叭裤|微喇|flared|flare|bootcut|bell bottom
阔腿=宽腿|裤腿宽|wide leg
高领=turtleneck|roll neck|high neck
连帽|带帽=带帽子|有帽子|帽子|hood|hooded|with hood
前扣=扣在前面|前面扣|前面扣的|front closure|front clasp|front hook
偏光=polarized|polarised
左耳=左边|左边耳朵|左边的|left|left ear
右耳=右边|右边耳朵|右边的|right|right ear
双耳=两只耳朵|两边耳朵|两耳|两边|both ears|pair
超强=最强|特别强|最牢|extra strong|strongest|maximum hold
大粒=颗粒大|大颗粒|大颗|large pellet|large pellets|big pellets
小粒=颗粒小|小颗粒|小颗|small pellet|small pellets
免胶=不用胶水|不用胶|不涂胶|no glue|glue free|without glue
全脂=whole milk|full fat|full cream
脱脂=零脂肪|0脂肪|没脂肪|没有脂肪|skim|skimmed|fat free|nonfat
子母=能拆开|拆开|可拆分|两层能拆|二合一
单人=一个人|一人|自己玩|single|one person|solo|single player
双人=两个人|二人|两人|夫妻|double|two people|two person|two player|2 player|couple
胶囊=capsule|capsules
片剂=药片|片|tablet|tablets|pill|pills
软胶囊=softgel|softgels
粉剂|粉末=粉|粉的|powder|powdered
颗粒=冲剂|冲泡|granules|granule
喷雾=喷的|喷一喷|能喷|喷头|spray|mist|spray bottle
倒瓶=倒的|倒出来|pour
凝胶|啫喱=啫喱|gel
慕斯|泡沫=泡沫|mousse|foam|foaming
软糖=gummy|gummies|糖果
电加热|加热=发热|会热|能发热|插电发热|通电发热|heated|heating
上浮=浮的|浮着|漂着|浮在水面|floating|float
下沉=沉底|沉的|沉下去|沉底的|sinking|sink
明前=清明前|清明之前|清明节前
雨前=谷雨前|谷雨之前
雨后=谷雨后|谷雨之后
全公=公的|公蟹|只要公|male|males
全母=母的|母蟹|只要母|female|females
公母各半=一半一半|各一半|公母都要|对半|half and half|mixed
带壳=有壳|没剥|没剥壳|in shell|with shell|unshelled
去壳=剥好|剥壳|没壳|不带壳|去了壳|果仁|shelled|kernels|peeled
双桶=双缸|两个桶|twin tub|double tub
半自动=semi automatic
断电=自动断|充满断|自停|自己断电|充满自己断电|充满就停|auto shut off|auto off
热风=吹干|热风吹|热风吹干|hot air
替换=替换装|替换的|refill|refills
电源线=power cord|带线|电源线
type-c=usb c|usbc|usb-c|c口|typec|type c
c转c|a转c|三合一=type-c|typec|type c|usb-c|usb c|usbc|c口
c转c=c to c|usb c to c|usb-c to usb-c|双type-c|双c口|两头type-c|c对c
双电池=两块装|两块电池|两块|2块|两个电池|two batteries|2 batteries
加双充=带双充|双充|双座充|双充电器|dual charger
图形编程=函数|graphing|画函数
全盔=全罩|全罩式|full face|full-face
自动集尘|全能基站|自清洁=empties itself|self emptying|self-emptying|auto empty|自己倒垃圾|不用倒垃圾
低枕=矮枕|低一点的枕头|low pillow|low pillows|flat pillow|thin pillow
高枕=高一点的枕头|high pillow|high pillows|tall pillow
五包整箱=整箱五包|五包|five reams|5 reams|box of five reams
两包装|两袋装|两瓶装|两盒装|两只装|两把装|两条装|两个装|一对装|双只装|两支装=两个一起|two pack|twin pack|pack of two|pack of 2|2 pack
两包装|两袋装|两瓶装|两盒装|两只装|两把装|两条装|两个装|一对装|双只装|两支装=2-pack|set of two|two of them|two units
三包装|三袋装|三瓶装|三盒装|三只装|三条装|三支装|三个装=three pack|pack of three|pack of 3|3 pack|3-pack|three of them
三包装|三袋装|三瓶装|三盒装|三只装|三条装|三支装|三个装=set of three
四包装|四只装|四瓶装|四条装|四盒装|四袋装=four pack|pack of four|pack of 4|4 pack|4-pack|set of four
特大|最大=最大
头层牛皮|牛皮=真牛皮|cowhide|real leather|genuine leather
超六类=cat6a|cat 6a
六类=cat6|cat 6
八类=cat8|cat 8
七类=cat7|cat 7
五类|超五类=cat5|cat5e
四级=cet4|cet-4|cet 4
六级=cet6|cet-6|cet 6
反渗透=ro|reverse osmosis
双面=两面|正反面|正反|double sided|two sided|both sides|reversible
单面=一面|single sided|one sided
平装=软封面|paperback|softcover
精装=硬壳|硬封面|硬皮|hardcover|hardback
大字=字大|字体大|large print|big print
静音=不吵|没声音|安静|声音小|不出声|quiet|silent|noiseless
自动=不用手|自己会|automatic|auto
一次性=用完就扔|用完扔|用一次|disposable|single use
可重复使用=重复用|反复用|能洗了再用|reusable
水洗=能洗|可以洗|能水洗|washable
拆洗=能拆洗|拆下来洗|能拆下来洗|拆了洗|能洗|washable|removable cover
机洗=能机洗|扔洗衣机|丢洗衣机|洗衣机洗|能洗|machine washable|washable
速干=干得快|快干|quick dry|fast drying
防滑=不滑|不打滑|non slip|anti slip|nonslip
夜光=发光|晚上亮|会亮|glow in the dark|luminous|glow
透明=看得见里面|看得到里面|透的|clear|transparent|see through
隐藏|隐形=看不见|看不出来|不露|hidden|invisible
圆头=圆的头|round toe|round
尖头=尖的|尖的头|pointed toe|pointed
平底=没跟|没有跟|不带跟|flat|flats
高跟=带跟|high heel|high heels|heeled
粗跟=chunky heel|block heel
细跟=stiletto
厚底=底厚|platform|thick sole
无钢圈=没钢圈|不带钢圈|wireless|wire free|no underwire|without underwire
软钢圈|钢圈=underwire|带钢圈|有钢圈`.split('\n').map((line) => {
  const [words = '', names = ''] = line.split('=')
  return [words.split('|'), names.split('|')]
})

/** What goods have a number of, as sentences name it; the first is what values say. */
export const COUNTED_PARTS: readonly (readonly [han: string, english: readonly string[]])[] = [
  ['层', ['layer', 'tier', 'ply', 'shelf']], ['格', ['compartment', 'grid', 'section', 'slot']],
  ['口', ['port', 'outlet']], ['孔', ['hole', 'outlet', 'socket']], ['键', ['key']],
  ['刀头', ['head', 'blade']], ['头', ['head']], ['开门', ['door']], ['门', ['door']],
  ['轮', ['wheel']], ['档', ['speed', 'level', 'setting', 'gear']], ['节', ['section']],
  ['刀', ['blade', 'cutter']], ['屏', ['screen', 'display']], ['色', ['color', 'colour']],
  ['面', ['side', 'sided']], ['杯', ['cup']], ['座', ['seat', 'seater']], ['位', ['socket', 'outlet']],
  ['人位', ['seat', 'seater', 'person']], ['人', ['person', 'people', 'man']],
  ['抽屉', ['drawer']], ['抽', ['drawer', 'sheet']], ['摄', ['camera', 'lens']],
  ['麦', ['mic', 'microphone']], ['灶', ['burner']], ['杆', ['rod', 'pole', 'bar']],
  ['盘', ['plate', 'disc']], ['段', ['stage', 'setting']], ['折', ['fold']], ['罐', ['jar', 'can']],
  ['缸', ['tub', 'cylinder']], ['管', ['tube']], ['叶', ['blade']], ['轴', ['axis', 'axle']],
  ['椅', ['chair']], ['把', ['piece', 'pack']], ['台', ['piece', 'unit']], ['步', ['step']],
  ['脚', ['leg']], ['腿', ['leg']], ['弦', ['string']], ['排', ['row']], ['爪', ['claw', 'prong']],
  ['件套', ['piece', 'piece set', 'pc', 'pcs']], ['件', ['piece', 'pc', 'pcs']],
  ['片', ['piece', 'pc', 'pcs', 'slice']], ['瓶', ['bottle']], ['袋', ['bag', 'packet']],
  ['盒', ['box', 'pack']], ['包', ['pack', 'packet']], ['支', ['piece', 'pack', 'tube']],
  ['只', ['piece', 'pack']], ['条', ['piece', 'pack', 'strip', 'bar']], ['双', ['pair']],
  ['对', ['pair']], ['本', ['book', 'volume']], ['册', ['book', 'volume']], ['卷', ['roll']],
  ['合一', ['in 1', 'in one']], ['模', ['mode']], ['级', ['stage', 'level', 'speed']],
]
