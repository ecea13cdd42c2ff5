// What differs between Windows, macOS and Linux, with the system handed in: none of them is needed to test it.
import { describe, expect, test } from 'vitest'
import { buildRefusal } from './build-console.mjs'
import { chromiumPlaces } from './chromium.mjs'
import { loadRefusal } from './load-check.mjs'
import { npmProgram } from './npm-program.mjs'
import { adviceFor, machineText, platforms, thisMachine } from './platform.mjs'
import { nodeProgramIn } from './repository.mjs'
import { endGroup, run, usefulLines } from './step.mjs'

describe('npm', () => {
  const node = 'C:\\Program Files\\nodejs\\node.exe'
  const script = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js'
  const windows = (env: NodeJS.ProcessEnv, ...files: string[]) =>
    npmProgram({ platform: 'win32', node, env, exists: (path) => files.includes(path) })

  test('that runs us runs again, on the Node that runs us', () => {
    const env = { npm_execpath: script }
    expect(windows(env, script)).toEqual({ program: node, first: [script], shell: false })
    const there = { platform: 'linux', node: '/usr/bin/node', exists: () => true }
    expect(npmProgram({ ...there, env: { npm_execpath: '/lib/npm-cli.js' } })?.first).toEqual(['/lib/npm-cli.js'])
    expect(npmProgram({ ...there, env: { npm_execpath: '/lib/pnpm.cjs' } })).toEqual({
      program: 'npm',
      first: [],
      shell: false,
    })
  })

  test('on Windows is the script beside node.exe, else beside npm.cmd', () => {
    expect(windows({}, script)?.first).toEqual([script])
    const other = 'D:\\npm\\node_modules\\npm\\bin\\npm-cli.js'
    expect(windows({ Path: 'C:\\Windows;D:\\npm' }, other)?.first).toEqual([other])
  })

  test('on Windows is npm.cmd through a shell where there is only that, and nothing where there is none', () => {
    expect(windows({ Path: 'D:\\shims' }, 'D:\\shims\\npm.cmd')).toEqual({ program: 'npm.cmd', first: [], shell: true })
    expect(windows({ Path: 'D:\\shims' })).toBeUndefined()
  })

  test('through a shell is started with all its arguments', async () => {
    expect(await run('echo', ['install', '--offline'], { shell: true })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^install --offline\r?\n$/),
    })
  })
})

describe('a step with children', () => {
  const ended = (platform: string, child: { pid?: number }) => {
    const calls: unknown[] = []
    endGroup(child, 'SIGTERM', {
      platform,
      kill: (...args) => calls.push(args),
      runSync: (program, args) => calls.push([program, ...args]),
    })
    return calls
  }

  test('ends by its group, on Windows by its tree', () => {
    expect(ended('linux', { pid: 7 })).toEqual([[-7, 'SIGTERM']])
    expect(ended('darwin', { pid: 7 })).toEqual([[-7, 'SIGTERM']])
    expect(ended('win32', { pid: 7 })).toEqual([['taskkill', '/PID', '7', '/T', '/F']])
  })

  test('that never started, or is gone, needs no ending', () => {
    expect(ended('linux', {})).toEqual([])
    const gone = () => {
      throw Object.assign(new Error('gone'), { code: 'ESRCH' })
    }
    expect(() => endGroup({ pid: 7 }, 'SIGTERM', { platform: 'linux', kill: gone, runSync: gone })).not.toThrow()
  })
})

describe('the browser', () => {
  test('on Windows is Chromium, Chrome or Edge of the machine or of the person', () => {
    const env = { ProgramFiles: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\li\\AppData\\Local' }
    const places = chromiumPlaces({ platform: 'win32', env })
    expect(places).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe')
    expect(places).toContain('C:\\Users\\li\\AppData\\Local\\Chromium\\Application\\chrome.exe')
    expect(places.at(-2)).toBe('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe')
  })

  test('on macOS is one of the PATH, else an application', () => {
    const places = chromiumPlaces({ platform: 'darwin', env: { PATH: '/opt/homebrew/bin:/usr/bin' } })
    expect(places).toContain('/opt/homebrew/bin/chromium')
    expect(places).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
  })

  test('on Linux is one of the PATH, by the order of the names', () => {
    expect(chromiumPlaces({ platform: 'linux', env: { PATH: '/a:/b' } }).slice(0, 3)).toEqual([
      '/a/chromium-headless-shell',
      '/b/chromium-headless-shell',
      '/a/chromium',
    ])
  })

  test('that CHROMIUM_PATH names is the only one, as a path or as a name', () => {
    const wish = (platform: string, path: string) =>
      chromiumPlaces({ platform, env: { CHROMIUM_PATH: path, PATH: '/a', Path: 'C:\\a' } })
    expect(wish('linux', '/opt/chrome')).toEqual(['/opt/chrome'])
    expect(wish('linux', 'chrome-dev')).toEqual(['/a/chrome-dev'])
    expect(wish('win32', 'D:\\chrome.exe')).toEqual(['D:\\chrome.exe'])
  })
})

test('our own Node has the name of the system', () => {
  expect(nodeProgramIn('/x', 'win32')).toMatch(/node\.exe$/)
  expect(nodeProgramIn('/x', 'darwin')).toMatch(/bin.node$/)
})

describe('a part that cannot be loaded', () => {
  const glibc = { name: 'linux-x64', libc: 'glibc' }

  test('is told with the platform, the part and what to do', () => {
    const said = `Error: Cannot find native binding.\n  cause: Error: Cannot find module '@rolldown/binding-linux-x64-gnu'`
    expect(loadRefusal('the bundler', said, glibc)).toBe(
      'On linux-x64 (glibc) the bundler cannot be loaded: its part @rolldown/binding-linux-x64-gnu is missing.\n' +
        'Remove the folder node_modules and run the same command again; if that does not help, see README.md.',
    )
  })

  test.each([
    [
      "Error: /lib/libc.so.6: version `GLIBC_2.38' not found\n    at x",
      "/lib/libc.so.6: version `GLIBC_2.38' not found",
    ],
    ['x.js:1\n\nError: x.node is not a valid Win32 application.', 'x.node is not a valid Win32 application'],
    ['', 'it exited at once without any output'],
  ])('for another reason is told with it: %j', (output, reason) => {
    expect(loadRefusal('it', output, glibc)).toContain(`cannot be loaded: ${reason}.\n`)
  })

  test('on musl or an unknown machine gets the advice that helps there', () => {
    expect(adviceFor({ name: 'linux-x64', libc: 'musl' })).toContain('Debian')
    expect(adviceFor({ name: 'freebsd-x64', libc: undefined })).toContain(platforms.join(', '))
    expect(machineText({ name: 'darwin-arm64', libc: undefined })).toBe('darwin-arm64')
    expect(thisMachine()).toMatchObject({ name: `${process.platform}-${process.arch}` })
  })

  test('while the console is built is told the same way, without the advice of the bundler', () => {
    const said = 'Error: Cannot find native binding. Please remove package-lock.json\n    at x.mjs:1'
    expect(buildRefusal(said, glibc)).toMatch(/^On linux-x64 \(glibc\) the bundler .* cannot be loaded: /)
  })
})

test('the useful lines of a failure hold no trace, no colours and no printed error object', () => {
  const said = [
    'error during build:',
    '\x1b[31m[builtin:vite-transform]\x1b[0m Unexpected token',
    ' 2 │ }',
    '',
    '    at build (file:///a.mjs:1:1)',
    '    at async run (file:///b.mjs:1:1) {',
    '  errors: [Getter/Setter]',
    '}',
    'Node.js v26.10.0',
  ].join('\n')
  expect(usefulLines(said, 20)).toBe('error during build:\n[builtin:vite-transform] Unexpected token\n 2 │ }')
  expect(usefulLines(said, 1)).toBe('error during build:')
})
