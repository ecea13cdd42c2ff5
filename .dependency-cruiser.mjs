// Who may import whom. The rules in words: docs/architecture.md. Run by scripts/import-rules.mjs.
// Paths have slashes here on every system: the cruiser turns those of Windows before it compares.
const S = '^apps/server/src'
const C = '^apps/console/src'

// A feature uses the doors of lower levels only. Two levels are families, whose members use each other's doors: the
// people and settings of the platform, and devices with what they sign in by and speak through.
const families = ['users', 'devices']
const levels = [
  ['users', 'roles', 'menus', 'apis', 'logs', 'settings', 'files', 'jobs', 'sign-on'],
  ['products'],
  ['devices', 'gateways', 'device-auth'],
  ['groups', 'notify', 'rollouts', 'cluster', 'api-keys'],
  ['commands', 'history', 'remote-config'],
  ['tasks', 'ota', 'scenes', 'forwarding', 'prom'],
  ['alarms'],
  ['reports', 'home', 'search', 'demo', 'live', 'plans', 'assistant'],
]

// Tests and the testing rooms put things together as they need.
const tests = '(\\.test\\.tsx?$|/testing/)'
const features = (names) => `${S}/features/(${names.join('|')})/`

/** @returns {import('dependency-cruiser').IForbiddenRuleType} */
const forbid = (name, comment, from, to, toNot) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: to, ...(toNot && { pathNot: toNot }) },
})

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'no-circular',
    comment: 'modules must not depend on each other in a ring',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'unresolved',
    comment: 'an import that leads nowhere',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-tests-in-product',
    comment: 'the product must not import tests or testing rooms',
    severity: 'error',
    from: { pathNot: `${tests}|^(e2e|bench|scripts)/` },
    to: { path: tests, pathNot: 'node_modules' },
  },

  forbid(
    'contract-is-bottom',
    'the contract imports no other workspace',
    '^packages/contract/',
    '^(apps|e2e|bench|scripts)/',
  ),
  {
    name: 'contract-has-no-node',
    comment: 'the contract runs in the browser too',
    severity: 'error',
    from: { path: '^packages/contract/', pathNot: tests },
    to: { dependencyTypes: ['core'] },
  },
  forbid(
    'console-never-server',
    'the console and the simulator reach the server over the wire only',
    '^apps/(console|simulator)/',
    '^apps/server/',
  ),
  forbid('server-never-console', 'the server knows the console as files only', '^apps/server/', '^apps/console/'),
  forbid('nobody-imports-cli', 'the command line is a program of its own', '^(?!apps/cli/)', '^apps/cli/'),
  forbid(
    'cli-knows-contract-only',
    'the command line is made from the contract, and reaches the server over the wire only',
    '^apps/cli/',
    '^(apps/(?!cli/)|e2e/|bench/|scripts/)',
  ),
  forbid('simulator-only-in-app', 'virtual devices are run by app/ only', `${S}/(?!app/)`, '^apps/simulator/'),

  forbid('nobody-imports-app', 'app/ is the composition root', `${S}/(?!app/|main)`, `${S}/app/`),
  forbid(
    'backup-knows-tables-only',
    'a backup copies what the database holds, whatever features there are',
    `${S}/(backup|secret-key)/`,
    `${S}/(features|uplink|downlink|http)/`,
  ),
  forbid(
    'backup-lies-beside',
    'backups and the key of secrets are the business of app/ and of the commands',
    `${S}/(?!app/|main|backup/|secret-key/)`,
    `${S}/(backup|secret-key)/`,
  ),
  forbid(
    'backup-needs-few-engines',
    'a backup starts the embedded database and reads stored files, nothing else runs',
    `${S}/backup/`,
    `${S}/engines/`,
    `${S}/engines/(embedded-pg|disk-files|s3-files)/`,
  ),
  forbid('engines-only-in-app', 'engines are named in app/ only', `${S}/(?!app/|backup/|engines/)`, `${S}/engines/`),
  forbid(
    'engines-know-ports-only',
    'an engine implements a port',
    `${S}/engines/`,
    `${S}/(features|uplink|downlink|http|db)/`,
  ),
  forbid(
    'engines-apart',
    'one engine, one folder; shared are the line of both signals, the intake of both brokers, calls of S3, and what targets of forwarding have in common',
    `${S}/engines/([^/]+)/`,
    `${S}/engines/`,
    `${S}/engines/($1|signal-line|intake|forward-shared|s3-shared)/`,
  ),
  forbid(
    'low-rooms-stay-low',
    'ports, db, http and downlink lie under the features',
    `${S}/(ports|db|http|downlink)/`,
    `${S}/(features|uplink)/`,
  ),
  forbid('lowest-rooms', 'ports and db lie under http and downlink', `${S}/(ports|db)/`, `${S}/(http|downlink)/`),
  forbid('ports-are-types', 'ports know the contract only', `${S}/ports/`, `${S}/db/`),
  forbid(
    'background-is-low',
    'the engine of background work knows ports only; every room may use it',
    `${S}/background/`,
    `${S}/(?!background/|ports/)`,
  ),
  forbid('features-under-uplink', 'the corridor lies above the features', `${S}/features/`, `${S}/uplink/`),
  forbid(
    'only-the-door',
    "another feature's inside is private",
    `${S}/features/([^/]+)/`,
    `${S}/features/`,
    `${S}/features/($1/|[^/]+/door\\.ts$)`,
  ),
  forbid(
    'feature-in-no-level',
    'add the folder to a level in .dependency-cruiser.mjs',
    `${S}/features/(?!(${levels.flat().join('|')})/)`,
    '',
  ),

  forbid(
    'console-feature-alone',
    'features of the console do not know each other, but for a tab that another one shows',
    `${C}/features/([^/]+)/`,
    `${C}/features/`,
    `${C}/features/($1/|[^/]+/[a-z-]+-tab\\.tsx$)`,
  ),
  forbid('console-features-under-app', 'app/ puts the features together', `${C}/(features|blocks)/`, `${C}/app/`),
  forbid(
    'console-language-is-bottom',
    'every room may speak; only their catalogues are fetched from here',
    `${C}/language/`,
    `${C}/(?!language/)`,
    '\\.json$',
  ),
  forbid('console-blocks-under-features', 'blocks serve features', `${C}/blocks/`, `${C}/features/`),
  forbid('console-kit-is-low', 'kit and api know no feature', `${C}/(kit|api)/`, `${C}/(features|blocks|app)/`),

  ...levels
    .map((names, i) => ({ names, level: i + 1 }))
    .filter(({ names }) => !names.some((name) => families.includes(name)))
    .map(({ names, level }) =>
      forbid(
        `no-sibling-in-level-${level}`,
        'features of one level do not know each other',
        features(names),
        features(names),
        `${S}/features/$1/`,
      ),
    ),
  ...levels
    .slice(0, -1)
    .map((names, i) =>
      forbid(
        `level-${i + 1}-looks-up`,
        'a feature uses lower levels only',
        features(names),
        features(levels.slice(i + 1).flat()),
      ),
    ),
]

/** @satisfies {import('dependency-cruiser').ICruiseOptions} */
const options = {
  // With TypeScript 7, which has no compiler API, any other parser sees no modules at all and calls that a success.
  parser: /** @type {const} */ ('swc'),
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)dist/' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['import', 'types', 'node', 'default'],
    extensions: ['.ts', '.tsx', '.js', '.mjs'],
  },
}

export default { forbidden, options }
