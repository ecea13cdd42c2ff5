// Which test files deserve a second try, and what the report says of them. Pure, so that it can be tested.
import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ file: string, why: string }} Failure */
/**
 * @typedef {object} Report what vitest's JSON reporter writes
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ name: string, status: string, message?: string,
 *   assertionResults: { status: string, fullName?: string, failureMessages?: string[] }[] }[]} testResults
 */

const firstLines = (text, lines) => text.trim().split('\n').slice(0, lines).join('\n')

/** The failed files of a run, each with the text of its first failure. @param {Report} report @returns {Failure[]} */
export function failuresOf(report) {
  return report.testResults
    .filter(
      ({ status, assertionResults }) => status === 'failed' || assertionResults.some((one) => one.status === 'failed'),
    )
    .map(({ name, message, assertionResults }) => {
      const first = assertionResults.find((one) => one.status === 'failed')
      const said = first ? `${first.fullName}\n${first.failureMessages?.[0] ?? ''}` : (message ?? '')
      return { file: name, why: firstLines(said, 12) }
    })
}

/**
 * Errors outside of tests make vitest end with a code although no test failed; it prints the file that ran meanwhile.
 * Undefined when it names none for one of them.
 * @param {string} output @param {readonly string[]} files those that were run @returns {Failure[] | undefined}
 */
export function strayErrorsOf(output, files) {
  const plain = stripVTControlCharacters(output)
  const at = plain.indexOf('Unhandled Error')
  if (at < 0) return []
  const told = plain.slice(at)
  const caught = Number(/Vitest caught (\d+) unhandled error/.exec(told)?.[1] ?? 1)
  const named = [...told.matchAll(/This error originated in "([^"]+)" test file/g)].map(([, path]) => path ?? '')
  if (named.length < caught) return undefined
  return files
    .filter((file) => named.some((path) => file.endsWith(path)))
    .map((file) => ({ file, why: firstLines(told, 12) }))
}

/**
 * What to run again after a run that was not clean. Undefined: nothing can be told apart, so the run has failed.
 * More than a few files at once is no chance but a fault: a second try would only hide how many there are.
 * @param {{ code: number, output: string, report: Report | undefined }} first
 * @returns {Failure[] | undefined}
 */
export function secondTries({ code, output, report }, most = 5) {
  if (!report) return undefined
  const failed = failuresOf(report)
  const files = report.testResults.map(({ name }) => name)
  const stray = strayErrorsOf(output, files)
  if (!stray) return undefined
  const again = [...failed, ...stray.filter(({ file }) => !failed.some((one) => one.file === file))]
  if (code === 0 && again.length === 0) return []
  return again.length === 0 || again.length > most ? undefined : again
}

/** Loud on purpose: a file that passes only the second time has a bug, or the product has. @param {Failure[]} tries */
export const secondTryReport = (tries) =>
  tries
    .map(({ file, why }) => `needed a second try: ${file}, a bug to look into\n${why.replace(/^/gm, '    ')}`)
    .join('\n')
