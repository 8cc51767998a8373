/**
 * Words that common passwords are made of, and common passwords that no rule of `blocklist.ts` covers; gathered from
 * public counts of leaked passwords, most frequent three thousand of eight characters and more.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
0.0.0.000 01020304 0192837465 0987654321q 10203040 1020304050 10293847 1029384756 11001001 11112222 111222333 11223344 1122334455 112233445566 11235813 1123581321 12131415
1213141516 1232323q 12345677 1234567890a 1234567890q 1234567890z 1234567891 12345678910 1234567899 123456789a 123456789d 123456789m 123456789o 123456789p 123456789q 123456789r
123456789s 123456789v 123456789z 12345678a 12345678q 12345679 1234567a 1234567aa 1234567q 12345687 123456aa 123456as 123456qqq 123456qw 123456ru 123581321 12365478 12369874
123698745 123qq123 13243546 134679852 1357908642 135792468 1357924680 135798642 14725836 147258369 14785236 147852369 14789632 147896325 15426378 159753456 18436572 19283746
192837465 19411945 22446688 24681012 25800852 27731828 31415926 369258147 44332211 4815162342 66613666 73501505 74108520 74123698 741258963 741852963 7777777a 78945612
7894561230 789632145 918273645 9293709b13 963258741 963852741 987654321a 99762000 a1234567 a12345678 a123456789 a123456a a1a2a3a a1b2c3d a1b2c3d4e a1s2d3f a1s2d3f4g a2b3c4d
a2s3d4f a2s3d4f5g aa123456 aaaa aardvark abcdefg abdullah aberdeen abnormal abracadabra abrakadabra absolute absolutely acapulco access accord achilles acidburn action addicted
adelaide adgjmptw adidas admin administrador administrator adrenalin adrian adrianna adrienne advanced adventure aerosmit agent airborne aircraft airforce airplane alabama
alaska albatros albert alcatraz alejandr alejandra alejandro aleksandr aleksandra alessand alessandro alex alexande alexander alexandr alexandra alexandre alexis alfarome
alicia aligator alison alleycat alliance allison allnight allstate almighty alpha alphabet alterego alyssa amanda amateurs amber ambrosia america american amethyst amsterda
amsterdam anaconda anakonda anastasi anastasia anastasiya andersen anderson andre andrea andrew andrey andromed andromeda andyod angel angela angelica angelika angelina angels
anhyeuem animal animated annabell annmarie anonymous antelope anthony antonina antonio anything apache apollo apple applepie apples aquarius arcangel archange archangel
architec argentin argentina arizona arkansas armageddon armagedon armstron armstrong arnold arsenal arthur as123456 asdfgh ashleigh ashley aspirine assassin athletic atlanta
atlantic atlantis atreides atrium attitude attorney auckland august augustin augustus austin australi australia autumn avalanch avalon avatar aviation awesome azerty azertyui
azertyuiop azsxdcfv babemagn babemagnet baberuth babybear babyblue babycake babydoll babyface babygirl babylon babylove backbone backdoor badabing badboy badger bailey bajingan
balloons ballsack baltimor banana bandit baracuda barbados barbara barcelon barcelona barefeet barefoot baritone barney barselona baseball basement basketba basketbal
basketball batman baxter bcfields bearcats beatles beatrice beautifu beautiful beauty beaver beavis beckham beefcake beethove bellagio bendover benedict benessere benjamin
bergkamp berkeley berlin bernardo bernhard bertrand bettyboo bettyboop beverley bgates bigballs bigblack bigblock bigboy bigbucks bigdaddy bigdog bigmac bigman bigmoney
bigpoppa bigred bigtruck billabon billabong billy billybob billyboy binladen biohazard bionicle birdie birthday bishop bismarck bismilla bismillah biteme black blackberry
blackbir blackbird blackcat blackdog blackhaw blackhawk blackice blackjac blackjack blacklab blackman blackops blackout blazer blessing blink blizzard blowfish blowme blue
blueball bluebell blueberr blueberry bluebird blueeyes bluefish bluejays bluemoon bluesman bluestar bobafett bobby bobdylan bobmarley bonehead bonnie booger boogie bookworm
boomer bordeaux borussia boston bowling bradford bradley brandon brandy braveheart braves brazil brenda brewster brian brighton brigitte brisbane britney brittany brittney
broadway bronco broncos brooke brooklyn brother brothers browndog browning brucelee brutus bubba bubbles buckaroo buckeyes buckshot buckwhea budapest buddha buddy buddyboy
buddydog budlight budweise budweiser buffalo building bukowski bulldog bulldogs bullet bulletin bullfrog bullseye bunghole burton business buster bynthytn cabernet cadillac
caesar calendar caliente californ california caligula calimero callaway callisto calvin camaro camaross cambiami cambridg cameron campbell canada canadian candy candyman
cannabis cannibal cantona capetown capitals capoeira capricor capricorn capslock captain cardinal cardinals care carebear carlisle carlitos carlos carmen carnival carolina
caroline carpedie carpediem carpente carrie carter cartman cartoons casablanca casanova cashflow cashmone cashmoney casper cassandr cassandra cassie castillo catalina catfight
catherin catherine catwoman cavalier cbr900rr cdtnkfyf celebrity celtic cerberus cfitymrf chadwick chainsaw chairman challeng chambers champion chance chandler changeme
chargers charisma charlene charles charlie charlott charlotte charlton checkers checkmat cheerleaers cheese chelsea chemical cherokee cherries cherry cheshire chester chestnut
chevelle chevrole chevrolet chevy chevys chewbacc cheyenne chicago chicken chickens chickenwing children chipmunk chiquita chocolat chocolate chopper chris chrisbln christ
christel christia christian christie christin christina christine christma christmas christop christophe christopher chronic chrysler chuckles churchil cinnamon citation
civilwar cjkysirj claire clarence clarinet clarissa classic classics claudia claymore clemente cleopatr cleopatra clevelan cleveland clifford climbing clinton clippers close-up
clueless cnfybckfd cobra cocacola coffee coldbeer coldplay college colombia colonial colorado coltrane columbia columbus comanche comicbookdb commande commander commando
company compaq complete computer concorde concrete confused connie connor conquest constant consumer continue contortionist contract contrasena converse cookie cooldude
coolhand coolness cooper copenhag copper corleone cornelia cornhole cornwall corvet corvette costanza costello cosworth cougar courtney coventry cowboy cowboys cowboyup
crackers crawford crazy crazybab crazyman creation creative creature creepers crescent cricket criminal cristian cristina crjhgbjy cromwell crusader crystal cucumber culinary
customer cutiepie cyclones cygnusx daddy daedalus dagobert daisydog dakota dallas dancer danger dangerous daniel daniella danielle dannyboy daredevi daredevil darkange
darkangel darklord darkness darkside darkstar darthvad daughter david davidson daydream daylight dbrnjhbz deadhead deadpool deadspin death deathnote debbie december deepthroat
deerhunt deeznuts deeznutz default defender deftones delaware delphine delpiero demon denise dennis denver derparol designer destiny destroyer detroit devil devildog devilman
devils dexter dfcbkbcf dfktynby dfktynbyf diablo diamante diamond diamonds diesel dietcoke digger digital dilbert dilligaf dima dingdong dinosaur diplomat dipstick director
dirtbike dirtydog disabled disaster discover discovery disney disturbed dkflbckfd dkflbvbh doberman doctor dodgeram dodgers doggie doghouse dogpound dolemite dolphin dolphins
domenico dominick dominika dominion dominiqu dominique domino donald donkey dontknow doomsday dortmund doughboy doughnut douglas downhill download downtown dragon dragonba
dragonball dragonfl dragonfly dragster dreamcas dreamcast dreamer dreaming dreams driver dropkick drowssap drpepper drummer dthjybrf dtkjcbgtl dtxyjcnm ducati duncan duracell
dutchess dutchman dynamite eagle eagles earnhard earthlin earthlink eastside eastwood eatmenow eclipse edmonton edward eggplant eighteen einstein ejaculation ekaterina elcamino
eldiablo eldorado electric electron elements eleonora elephant elevator elisabet elizabet elizabeth elizaveta elvis embalmer eminem emmanuel empire enforcer engineer england
enigma enter enternow enterpri enterprise entrance envelope erection ericsson escalade escorpio espresso estrella eternity eugene euphoria evanescence evangeli evangelion
everlast everton evolutio evolution excalibu excalibur exchange experience experienced explorer extreme f00tball fabulous facebook fairlane faithful falcon family fandango
fantasia fantasies fantasti fantasy fantomas farscape fastball favorite fearless feathers february federico feelgood fellatio fender ferguson fernanda fernande fernando ferrari
festival fgtkmcby fhvfutljy fidelity fighting finalfantasy fireball firebird fireblad fireblade firefigh firehawk fireman firestorm firewall fishbone fishcake fisher fisherma
fisherman fishface fishhead fishing fishtank fivestar fkbyjxrf fktrcfylh fktrcfylhf flamengo flamingo flanders flash flashman flathead fletcher flexible flipflop flipper
florence florida flounder flower flowers fluffy flvbybcnhfnjh flyers football fordf fordtruc foreplay foreskin forest forester forever forgetit formula forsaken forsberg
fortress fountain foxylady france francesc francesco francine francis francisc francisco francois frank frankie franklin freckles freddie freddy frederic frederick frederik
fredrick freebird freedom freefall freepass freestyle freeuser freewill frenchie friday friend friendly friends friendster froggy front frontier fruitbat fujifilm fullback
fullmoon function funstuff funtimes fussball futurama future futyn fuzzball fyfcnfcbz fyfnjkbq fylhtq fyutkbyf fyutkjxtr gabriel gabriela gabriele gabriell gabrielle galina
gallaries galore gamecube gameover gandalf gangster gannibal garcia garfield gargoyle garrison gateway gatorade gators gbhfvblf gemini general generals genesis genius geoffrey
george georgia georgina geronimo gertrude gesperrt getmoney gfgfvfvf gfhjkm ghbdtn ghbdtnbr ghbdtndctv ghbdtnrfrltkf ghblehjr ghbywtccf ghhh47hj ghjcnbnenrf ghjcnjgfhjkm
ghjcnjnfr ghjuhfvvf ghostrider gianluca giants gibson gigabyte gilligan ginger giovanna giovanni girls giuseppe gizmodo gladiato gladiator glendale goblue godbless godfathe
godfather godsmack godspeed godzilla gogators goldberg golden goldeney goldeneye goldfing goldfish goldstar goldwing golfball golfer gonzales gonzalez goober good goodgirl
goodluck goodtime goodyear goofball google gordon gorgeous gotohell gracie graduate graphics grateful graywolf greatest greatone greedisgood green greenbay greenday greenman
greentea gregory gretchen greywolf griffith groupd gsxr gtnhjdbx guardian guest guillaum guillerm guinness guitar gundam gunner hairball halflife hallo hallowee halloween
hamilton hammer handball handsome handyman hannah hannibal happines happiness happy happyday happyman hardball hardon hardrock hardware hardwood harley harrison harrypotter
hartford harvey hastings hattrick hawaii hawaiian hawkeyes hawthorn hayabusa headache heather heaven heavenly hedgehog heineken heinrich hellfire hello hellohel hellokitty
hellsing hellyeah helpme helsinki hendrix hentai hercules herewego heritage hetfield highbury highheel highland highlander highlife hillbill hillside hiphop hitman hobbes
hockey holiday holidays hollywoo hollywood homebrew homemade homepage homer homework honda hondacbr honduras honey honeybee honeybun hongkong honolulu hooligan hoosiers hooters
hopeless horney horse horseman horsemen horses hospital hotdog hotgirls hotrod hotstuff hounddog house housewifes houston howard htubcnhfwbz hugoboss hummer humphrey hunter
hurrican hurricane huskers hydrogen hyperion ibilltes icecream icehouse iceman idontkno idontknow ihateyou ilikepie illinois illmatic illusion ilovegod iloveyou ilya immortal
imperial implants imtheman india indian infamous infantry infected infiniti infinity information innocent insanity insecure insomnia inspiron instinct integral interacial
intercourse interest internal internet intrepid intruder inuyasha ireland irishman ironmaiden ironman isabella isabelle islander istanbul istheman italiano iverson iwantu
j3qq4h7h2v j4ye3uz jackie jackson jaguar james jamesbon jamesbond january japanees japanese jasmine jason jasper jayhawks jeanette jediknig jeepster jefferso jefferson jeffrey
jellybea jellybean jennifer jennings jenny jeremiah jeremy jermaine jessica jessie jester jesus jiggaman jimmy johannes johncena johndeer johngalt johnny johnson johnston
jonathan jonathon jones jordan joseph josephin josephine joshua joystick juliette junior junkmail jupiter jurassic just4fun justdoit justice justin justinbieber juventus
kakashka kamasutra kamikadze kamikaze kangaroo karina karolina katana katarina katerina katherin katherine kathleen kawasaki kayleigh kazantip kcchiefs kcj9wx5n kekc kelly
kenneth kennwort kentucky kenworth kermit kevin keyboard keystone kfcnjxrf kickflip kikimora killbill killer kimberly kingfish kingkong kingston kirill kirkland kissmyas kitten
kitty kittycat kittykat kjrjvjnbd klaster kleopatra klondike knickerless knickers knight knockers knuckles kodiak komputer konstantin kordell koroleva kramer krasotka kristen
kristian kristin kristina kristine krokodil labrador lacrimosa lacrosse laetitia lakers lakeside lakewood lalakers lambchop lamborghini lancelot landmark landrove lapochka
laserjet lasvegas laughing lauren laurence lavalamp lawrence leather leavemealone lebowski leedsutd left4dead legend lemonade lenochka leonardo leonidas leslie letmein letmeinn
letmesee letsdoit lfitymrf libertad liberty lickme lifehack lifetime lighthou lighthouse lighting lightnin lightning lilwayne limewire lincoln lineage lionhear lionheart
lionking lipstick little livelife liverpoo liverpool livewire lizard ljxtymrf lockdown lockerroom login logitech lokomotiv lol12345 lollipop lollypop london lonesome lonestar
lonewolf longdong longhair longhorn longjohn longshot lorraine losangeles louise love lovehate loveless lovelife lovely loveme lover loverboy loverman lovers loveyou lowrider
lucky luckydog luckyone ludacris lunchbox m2do5bs macaroni macdaddy macgyver macintos madagaskar madala maddog madeline madison madmax madonna magazine magdalena magellan
maggie magic magician magicman magnolia magnum mailcreated mainland majestic makaveli makeitso maksim maksimka malaysia mallorca mallrats mamacita mamapapa mamochka manager
manchest manchester mandarin mandingo mandrake manhatta mannheim manunited manutd maradona marajade marathon marauder marcella marcello marcius marcus margaret margarit
margarita maria marianna marianne marijuan marijuana marina marine mariners marines marino mariposa marishka marjorie marlboro marley marriage marseill marseille marshall
martin martinez marvin maryjane maryland masamune maserati mash master masterbate masterbating mastermind matchbox matrix matthew matthews matthias maurizio maverick maximilian
maximus maxpower maxwell mazafaka mazda mazdarx mcdonald mckenzie meatball meathead meatloaf mechanic medicine megadeth megapass megatron melanie melissa member mephisto
mercedes merchant mercury meredith meridian merlin mersedes messenger metallic metallica mexico michael michaela michaels michele michelle michigan mickey microlab microphone
microsof microsoft midnight mike milamber military milkyway millenium miller million millions millwall minecraft minimoni ministry minnesot minnesota miranda mischief misfit
mississi mississippi missouri mistress mitchell modelsne mohammad mohammed mojojojo molly mollydog monalisa monday money moneyman mongoose monica monkey monkeybo monkeyboy
monolith monopoly monster monsters montana montecar monterey montgom montreal montrose mookie moonbeam moonligh moonlight moonshin morgan morozova morpheus morris morrison
morrowind mortgage morticia mortimer motdepasse mother motherfu motherlode motocros motocross motorola mountain mozart mudvayne muffin muhammad mulligan multiplelo munchkin
murphy mushroom music musician musicman mustang mustangs myfriend mynameis mypasswo mypassword myspace myxworld nancy napoleon naruto nascar nastenka nastya natali natalie
natascha natasha natedogg nathalie nathan nathanie nathaniel national naughty nautilus navigator navyseal ncc1701a ncc1701d ncc1701e ncc74656 nebraska needforspeed negative
nelson nemesis nemrac netscape nevermin nevermind nevermore newcastl newcastle neworder newpass newport newproject newstart newyork nicholas nicole nightmar nightmare nightowl
nightwin nightwish nikita nineball nineinch nineteen nintendo nirvana nissan nocturne nokia nokian noname nopassword norman normandy northern nosferatu nostromo notebook
nothing notredam nounours november nthvbyfnjh ntktdbpjh nuttertools nwo4life nygiants o9i8u7y oblivion obsidian october offshore offspring oklahoma oksana oliver olivia online
opendoor operator optimist orange original oscar outlaw outsider overkill overlord p0015123 p0o9i8u p4ssw0rd p@ssw0rd p@ssword pa55w0rd pa55word packers paintbal paintball
painting pakistan paladin pallmall palmtree pamela panasoni panasonic pancakes pandora panorama pantera panther panthers pantyhos panzer papabear papamama paperino papillon
paradigm paradise paramedi paramore paranoid parker parlament pasadena pass passcode passion passmast passport passw0rd passwor password passwords passwort patches pathetic
pathfind patience patricia patrick patriots pavement pavilion peaches peanut pearljam peekaboo penelope penguin penguins pennywis pentagon penthous people pepper perfect
personal pertinant peter peterbil peterpan peterson petrovich phantom pharmacy phialpha philippe phillies phillips phoenix phpbb pianoman picard pickle pictuers pictures
piercing pineappl pineapple pinetree pingpong pinkfloy pinkfloyd pinnacle pipeline pippen piramida pirate pitchers pizzahut pizzaman plastics platinum platypus playball playboy
player playmate playstat playstation playtime please pleasure plumbing plymouth pokemon police polina polniypizdec pontiac poohbear pookie pool poontang poophead popcorn
porkchop porsche portland portugal poseidon positive pounding power powerful powerman preacher precious predator pregnant prelude presario presiden president pressure prestige
pretty prince princesa princess princeto pringles printing private priyanka producer progress property prophecy prospect protocol prototype prudence psycho pufunga pumpkin
pumpkins punisher punkrock puppydog purple pyramid q1234567 q123456789 q1q2q3q q1q2q3q4q q1w2e3r q1w2e3r4t q1w2e3r4t5y q2q3q4q q2w3e4r q2w3e4r5t q2w3e4r5t6y qawsedrf qawsedrftg
qazwsx qazwsxed qazwsxedc qq123456 qqqq quant4307s question qw123456 qw23er qw34er qwaszx qweasdzx qwerty qwertz r2d2c3po rabbit rachel rachelle racing radiohea radiohead
ragnarok raider raiders railroad rainbow rainbows rainyday raistlin rammstei rammstein randolph ranger rangers raptor rascal rasputin rastaman raymond rdfhnbhf realmadrid
rebecca reckless recovery redalert redbaron reddevil reddog reddwarf redhead redheads redlight redrum redskins redsox redstorm redwings reggie reginald regional register
reindeer reloaded remember remingto renegade republic research resident revoluti revolution revolver reynolds rfgbnjirf rfhfvtkmrf rfhfylfi rfhlbyfk rfhnjirf rfnthbyf rfntymrf
rfvfcenhf rhbcnbyf rhfcfdbwf rhfcjnrf rhiannon rhjrjlbk rhtdtlrj riccardo richard richards richmond riffraff rightnow riverrat riversid riverside rjhjktdf rjirfrgbde rjs1la7qe
rjycnfynby roadkill roadking roadrunn roadrunner roadster robbie robert robinson robotech robotics rochelle rocket rockford rockhard rocknrol rocknroll rockstar rockwell rocky
rodrigue roland rolltide romantic romashka ronald ronaldinho ronaldo rooster roosters root rootbeer rosebud rosemary rosewood rulez runescape runner rush rushmore ruslan
russell russia rustydog sabrina sailboat saints salamander salasana salesman salvador salvator salvatore samantha sammy samson samsung samuel sandberg sandiego sandman sandra
sandrine sandwich santiago sapphire sarah sarajevo saratoga sasha satan satellite saturday saturn sausages savage savannah saxophon scarface scarlett scheisse school schubert
scirocco scissors scooby scoobydo scoobydoo scooter scorpio scorpion scorpions scotland scott scotty scrabble scrapper screamer screwyou seahawks sealteam sebastia sebastian
secret security seductive segblue seinfeld seminole semperfi senators senha sentinel sephirot sephiroth septembe september serega serenity sergbest sergeant sergey sersolution
service services sevenof sfgiants shadow shaggy shamrock shaney shanghai shannon sharon sheepdog shelby shepherd sheridan sherlock sherwood shinigami shopping shorty showtime
shredder sickness sidekick sierra sigmachi silver silverad silverado simon simone simple simpson simpsons sinclair singapor singapore sinister sithlord sk8ordie skateboard
skeeter skeleton skidoo skinhead skipper skippy skittles skorpion skydiver skyline skywalke skywalker slamdunk slapnuts slapshot slayer sleeping slimshad slimshady slipknot
slippery slowhand smackdow smackdown smashing smeghead smirnoff smirnova smith smithers smoke smokey smooth smoothie snapshot sneakers snickers sniffing sniper snoopdog snoopy
snowball snowbird snowboar snowboard snowflak snowman snuggles soccer socrates softball softtail software sojdlg123aljg sokolova solitude solution somebody somerset somethin
something sometime sonyericsson sooners sophie sopranos soso123aljg soulmate southern southpar southpark southpaw spaceman sparhawk sparkles sparky spartan spartans speakers
special specialk spectrum speedway speedy spencer spider spiderma spiderman spirit spitfire splendid splinter spongebo spongebob spooky sporting sports spring springer sprinter
sprocket squerting squirrel srinivas stafford stalker stallion standard stanford stanislav stanley starbuck starbucks starcraf starcraft stardust starfire starfish stargate
starligh starlight starlite starship start startrek starwars steelers stefanie stella stephane stephani stephanie stephen stephens sterling steve steven stewart stickman
stigmata stiletto stinger stingray stinky stirling stocking stockton stonecol stonecold stonewal stoppedby straight stranger stratfor strawber strawberry streaming strength
strike stupid sublime suburban success sullivan summer sundance sundevil sunflowe sunflower sunlight sunnyday sunset sunshine super superbow superfly superior superman supernov
supernova supersonic supersta superstar surfer surprise surveyor survival survivor suzuki svetlana sweet sweetheart sweetnes sweetness sweetpea swimming swinging swordfis
swordfish sydney sylveste syncmaster syracuse system tacobell taekwondo tailgate talisman tamerlan tampabay tangerin tarheels taurus taylor tazmania technics teddybea teddybear
teens telephon telephone temppass tennesse tennis teresa terminal terminat terminator terrapin test tester testing testpass thailand thanatos thankyou thebeast thedoors
theforce thegreat theman theodore therock thetruth thinking thirteen thisisit thomas thompson thrasher threesom thuglife thumbnils thumper thunder thunderb thursday tiberian
tiberius tickling ticklish ticktock tiffany tiger tigercat tigers tigger timothy timoxa tinker tinkerbe tinkerbell titanic titanium titleist tkbpfdtnf together tokiohotel
tomahawk tomcat tommy tommyboy tomorrow toonarmy topgun topolino topsecret toriamos tortoise tottenha tottenham touching toulouse toyota training transfer translator traveler
travis treasure treefrog trevor trfnthbyf triangle trinidad trinitro trinitron trinity trombone trooper tropical trouble troubles trousers trucking trueblue truelove truffles
trumpet trustno tucker tunafish turbo turkey turtle tweety twilight ugd5hip2j ultimate umbrella unbelievable underdog underground undertak undertaker undertow underwear united
universa universal universe university ursitesux user username usmarine vacation vagabond valencia valentin valentina valentine valeriya valhalla valkyrie valleywa vampire
vampires vancouve vancouver vanessa vanguard vanhalen vasilisa vauxhall vegeta velocity vendetta verbatim veronica veronika vfhbyf vfhbyjxrf vfhnsirf vfhufhbnf vfitymrf
vflfufcrfh vfntvfnbrf vfpfafrf vfrcbv vfrcbvrf vfvfgfgf victor victoria victory viewsoni viewsonic viking vikings viktoria viktoriya vincent vincenzo violator violetta viper
vipergts virginia vision vivitron vjqgfhjkm vkontakte vladimir vladislav vodafone volkswag volleyba volleyball voodoo voyager vqsablpzla vsjasnel wachtwoord walker wallace
walter wanderer warcraft wareagle warhamme warhammer warrior warriors washburn washingt washington water waterboy waterfal waterloo waterman waterski wdtnjxtr weare webhompas
webmaste webmaster websol websolutions wednesda wednesday welcome wellingt werewolf westside westwood wg8e3wjf whatever whiplash whiskers whistler white whiteboy whiteout
whitesox whocares whoknows whynot wildbill wildcard wildcat wildcats wildfire wildlife wildwood william williams willie willow wilson windmill windows windsurf winfield
wingzero winner winston winter wireless wishbone wizard wolfgang wolfpack wolverin wolverine wolves wombat wonderboy wonderfu wonderful woodland woodstoc woodstock woodwork
wordpass wp2003wp wr2i7h wrangler wrestler wrestlin wrestling wrinkle wrinkles x2zkg8w xavier yamaha yamahar yankee yankees yaroslav yeahbaby yellow yfcntymrf yfnfif yfnfitymrf
yjdsqgfhjkm yogibear yosemite z1x2c3v z1x2c3v4b z2x3c4v z2x3c4v5b zachary zanzibar zeppelin zerocool zildjian zimbabwe zombie zxasqw zxcvbnm
`
    .trim()
    .split(/\s+/),
);
