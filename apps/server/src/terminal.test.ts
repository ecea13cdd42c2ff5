import { terminalLanguage } from '@ithings/contract/terminal-language.ts'
import { phrase } from '@ithings/contract/text.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '#app/config.ts'
import { announcement } from '#app/run.ts'
import { BackupError, damaged } from '#backup/format.ts'
import { isChineseTerminal } from '../../../scripts/words.mjs'
import { inTerminal, speakInTerminal, TerminalError, wordsOf } from './terminal.ts'

afterEach(() => speakInTerminal('en'))

describe('the language of a terminal', () => {
  test.each([
    [{}, 'linux', 'zh-CN', 'en'],
    [{ LANG: 'zh_CN.UTF-8' }, 'linux', 'en-US', 'zh'],
    [{ LANG: 'zh' }, 'darwin', 'en-US', 'zh'],
    [{ LANG: 'zh-Hant-TW' }, 'darwin', 'en-US', 'zh'],
    [{ LANG: 'en_US.UTF-8' }, 'linux', 'zh-CN', 'en'],
    [{ LANG: 'de_DE.UTF-8' }, 'linux', 'zh-CN', 'en'],
    [{ LANG: 'C' }, 'linux', 'zh-CN', 'en'],
    [{ LANG: 'POSIX' }, 'linux', 'zh-CN', 'en'],
    // Zhuang has a code of three letters that begins like Chinese.
    [{ LANG: 'zha_CN' }, 'linux', 'zh-CN', 'en'],
    [{ LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }, 'linux', 'en-US', 'zh'],
    [{ LC_ALL: 'C', LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'zh_CN.UTF-8' }, 'linux', 'zh-CN', 'en'],
    [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' }, 'linux', 'en-US', 'zh'],
    [{}, 'win32', 'zh-CN', 'zh'],
    [{}, 'win32', 'en-US', 'en'],
    [{ LC_ALL: 'C' }, 'win32', 'zh-CN', 'en'],
    [{ LANG: 'zh_CN.UTF-8' }, 'win32', 'en-US', 'zh'],
  ])('%j on %s with %s is %s', (env, platform, locale, language) => {
    const place = { env, platform, systemLocale: () => locale }
    expect(terminalLanguage(place)).toBe(language)
    // The set-up runs before any package is there, and decides by a copy of its own.
    expect(isChineseTerminal(place)).toBe(language === 'zh')
  })
})

describe('the announcement', () => {
  const announce = (more: string[] = []) =>
    announcement(
      { tls: undefined, host: '0.0.0.0' },
      { firstPassword: 'a$1{url}$t(b)', mqtt: { port: 1883, tlsPort: 8883 } },
      'http://0.0.0.0:7777',
      more,
    )

  test('is English, as it always was', () => {
    expect(announce(['The demo fleet is already loaded.'])).toBe(`
  iThings Core is ready:  http://localhost:7777/front/iThingsCore/
  API documentation:      http://localhost:7777/api/docs
  Devices connect to:     mqtt://localhost:1883
                          mqtts://localhost:8883

  First sign-in:  administrator / a$1{url}$t(b)
  The password is shown only this once. Change it after signing in.

  The demo fleet is already loaded.

`)
  })

  test('is Chinese in a Chinese terminal, its addresses in one column', () => {
    speakInTerminal('zh')
    expect(announce()).toBe(`
  iThings Core 已就绪:  http://localhost:7777/front/iThingsCore/
  接口文档:             http://localhost:7777/api/docs
  设备连接地址:         mqtt://localhost:1883
                        mqtts://localhost:8883

  首次登录:  administrator / a$1{url}$t(b)
  密码只显示这一次，登录后请修改。

`)
  })
})

describe('a failure', () => {
  const shown = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return { message: (error as Error).message, shown: inTerminal(wordsOf(error)) }
    }
  }

  test('is said in Chinese, and its message, which logs have, stays English', () => {
    speakInTerminal('zh')
    const readWrongly = () => {
      throw damaged(phrase('没有文件头'))
    }
    expect(shown(readWrongly)).toEqual({
      message: 'The file is damaged or incomplete: it has no header',
      shown: '文件已损坏或不完整：没有文件头',
    })
    expect(damaged('x')).toBeInstanceOf(BackupError)
  })

  test('of another program is shown as it is', () => {
    speakInTerminal('zh')
    const error = new TerminalError(phrase('无法读取 {file}：{why}', { file: 'a', why: wordsOf(new Error('ENOENT')) }))
    expect(inTerminal(wordsOf(error))).toBe('无法读取 a：ENOENT')
    expect(inTerminal(wordsOf(new Error('{count} of $t(x)')))).toBe('{count} of $t(x)')
    expect(inTerminal(wordsOf('text'))).toBe('text')
  })

  test('of the configuration names the variable and what is wrong, with all of its lines in one language', () => {
    const wrong = () =>
      readConfig({ PORT: 'x', WEBHOOK_ALLOW: 'y', SECRET_KEY: 'z', DATABASE_URL: 'postgres://a,b c/db' })
    const english = shown(wrong)?.shown
    expect(english).toMatch(/^These environment variables are wrong:\n {2}PORT: Invalid input: expected number/)
    expect(english).toContain('\n  SECRET_KEY: must be 32 bytes as 64 hex digits or as base64')
    expect(english).toContain('\n  DATABASE_URL: “b c” is not a host: ')
    expect(english).not.toMatch(/\p{Script=Han}/u)
    speakInTerminal('zh')
    const chinese = shown(wrong)?.shown.split('\n')
    expect(chinese).toHaveLength(5)
    for (const line of chinese ?? []) expect(line).toMatch(/\p{Script=Han}/u)
    expect(chinese).toContain('  SECRET_KEY: 应为 32 字节，写成 64 位十六进制或 base64')
  })
})
