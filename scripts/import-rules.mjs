// Checks who imports whom by the rules of .dependency-cruiser.mjs.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import config from '../.dependency-cruiser.mjs'

const repository = resolve(import.meta.dirname, '..')
const workspaces = [
  'packages/contract/src',
  'apps/server/src',
  'apps/console/src',
  'apps/simulator/src',
  'apps/cli/src',
  'e2e/src',
  'bench/src',
]

// A misconfigured cruiser sees nothing and is content. Raise this as the product grows.
const fewestModules = 100

/**
 * @param {string} root folder that holds the workspaces
 * @returns {Promise<{ modules: number, violations: { rule: string, from: string, to: string, why: string | undefined }[] }>}
 */
export async function checkImports(root) {
  const { forbidden, options } = config
  const { output } = await cruise(
    workspaces.filter((path) => existsSync(join(root, path))),
    { ...options, baseDir: root, ruleSet: { forbidden }, validate: true },
    options.enhancedResolveOptions,
  )
  if (typeof output === 'string') throw new Error(output)
  const modules = output.modules.filter(
    (module) => /\.tsx?$/.test(module.source) && !module.source.includes('node_modules'),
  )
  const why = new Map(forbidden.map(({ name, comment }) => [name, comment]))
  const violations = output.summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    from,
    to,
    why: why.get(rule.name),
  }))
  return { modules: modules.length, violations }
}

async function main() {
  const { modules, violations } = await checkImports(repository)
  for (const { rule, from, to, why } of violations) console.error(`${rule}: ${from} -> ${to} (${why})`)
  if (modules < fewestModules) {
    console.error(
      `only ${modules} modules were seen, at least ${fewestModules} are expected: is the checker set up wrongly?`,
    )
  }
  console.log(`${modules} modules, ${violations.length} forbidden imports`)
  process.exitCode = violations.length > 0 || modules < fewestModules ? 1 : 0
}

if (import.meta.main) await main()
