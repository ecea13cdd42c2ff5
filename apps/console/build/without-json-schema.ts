/**
 * Leaves out the part of zod that describes schemas as JSON Schema: every schema refers to it, so no bundler can tell that
 * only the server (OpenAPI) ever calls it. What is left in its place fails loudly when somebody does.
 */
import type { Plugin } from 'vite'

const describing = /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/
const exported = /^export (?:const|function|async function) (\w+)/gm

/** A module with the same exports, none of which works. */
export function emptied(code: string): string {
  const names = [...code.matchAll(exported)].map(([, name]) => name)
  return [
    "const absent = () => { throw new Error('JSON Schema is not part of the console') }",
    // `createStandardJSONSchemaMethod(schema)` is called for each schema that is used as a standard one; only its result
    // describes anything.
    'const later = () => absent',
    ...names.map((name) => `export const ${name} = ${name?.startsWith('create') ? 'later' : 'absent'}`),
  ].join('\n')
}

export const withoutJsonSchema = (): Plugin => ({
  name: 'ithings:without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: describing },
    handler: (code) => ({ code: emptied(code), map: null }),
  },
})
