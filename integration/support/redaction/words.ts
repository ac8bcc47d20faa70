/** What surroundings and human passwords are made of. Nothing in here is a secret. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  word: 'amber badger beacon bramble button candle carbon cherry copper cotton crystal dragon falcon fiddle garden granite harbor helmet ivory jasmine kitten lantern lizard maple meadow mirror mustard needle oyster panda pepper planet pumpkin quartz rocket salmon silver summer temple tiger turtle violet window yellow'.split(
    ' ',
  ),
  /** For passwords alone, so that what stands around holds no part of one. */
  pass: 'anchor basket bottle bridge cactus canvas cedar cobalt coral cricket dolphin ember feather forest ginger hammer hazel island jacket kettle ladder lemon magnet marble meteor monkey nectar nickel paddle pebble pigeon pocket puzzle rabbit saddle shadow spider sunset thunder tulip velvet walnut winter zephyr'.split(
    ' ',
  ),
  name: 'Alice Anders Bella Boris Carla Chloe Dmitri Elena Fatima Felix Greta Hannah Igor Jonas Katya Liam Lucia Marco Mateo Nadia Oscar Petra Quentin Rosa Samir Sofia Tariq Ursula Viktor Yusuf Zoe'.split(
    ' ',
  ),
  user: 'ada admin alice app backup bob buildbot ci deploy etl grace jenkins linus ops postgres reporting root runner sa service svc_orders webapp worker'.split(
    ' ',
  ),
  svc: 'auth billing catalog checkout crm events gateway identity inventory ledger mailer media notify orders payments pricing profile reports search shipping sync tracker users'.split(
    ' ',
  ),
  org: 'acme bluebird contoso foxglove globex initech northwind oakline pinecrest redstone tailspin umbra vandelay wayfare'.split(
    ' ',
  ),
  tld: 'com dev io internal net org example cloud local'.split(' '),
  env: 'prod staging qa dev live preview uat sandbox'.split(' '),
  region: 'us-east-1 eu-central-1 ap-south-1 eu-west-2 us-west-2 ca-central-1'.split(' '),
  branch: 'main develop feature/search fix/login release/2.4 chore/deps'.split(' '),
  ext: 'ts js py go rs rb java kt cs php sh yaml json md tf sql'.split(' '),
  verb: 'add check clean fetch find load make merge move parse read render reset send sort split store test update write'.split(
    ' ',
  ),
  noun: 'account address batch cache cart cell client config cursor document entry event field file filter group handler index item job key label limit list loader message model node option order page parser path payload plan policy product query queue record request result role route row rule schema section service session shape state status store stream table task template tenant timer token tree user value view window worker'.split(
    ' ',
  ),
  say: [
    'Let me check that first.',
    'Here is what I found.',
    'This should work now.',
    'can you fix this?',
    'It still fails on CI.',
    'I ran it twice.',
    'Now the next step.',
    'Please have a look.',
    'See the output below.',
    'the build broke after the last merge',
    'We changed it last week.',
    'I will write a test for it.',
  ],
  log: [
    'INFO  server started on port 8080',
    'npm notice New minor version of npm available',
    'Successfully built 4 modules',
    'warning: 2 deprecations',
    'Downloading dependencies...',
    'connected to database',
    'retrying in 5 s',
    'GET /health 200 3ms',
    'Step 3/9 : RUN make',
    '==> Finished in 12.4s',
  ],
};
