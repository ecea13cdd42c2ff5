/**
 * Leaves out parts of libraries that others of their parts refer to and that nothing of ours ever uses, so that no bundler can
 * tell. What is left in their place fails loudly when somebody does.
 */
import type { Plugin } from 'vite'

const unused: readonly RegExp[] = [
  // Schemas described as JSON Schema: only the server (OpenAPI) asks for that.
  /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
  // Filters in the heads of columns, which bring the tree along: our lists are filtered by a form.
  /antd\/es\/table\/hooks\/useFilter\/FilterDropdown\.js$/,
  // Tables that draw only the rows in sight: our lists have pages.
  /@rc-component\/table\/es\/VirtualTable\/index\.js$/,
  /antd\/es\/(badge\/Ribbon|input\/OTP\/index|tree\/DirectoryTree)\.js$/,
  // Writes style sheets; ours are written at build time (antd-styles.ts).
  /stylis\/src\/(Middleware|Parser|Prefixer|Serializer)\.js$/,
]
const exported = /^export (?:const|function|async function) (\w+)/gm

/** A module with the same exports, none of which works. What makes something when modules are loaded makes what fails later. */
export function emptied(code: string): string {
  const names = [...code.matchAll(exported)].map(([, name]) => name)
  return [
    "const absent = () => { throw new Error('this part of the library is not in the console: build/without-unused.ts') }",
    'const later = () => absent',
    ...names.map((name) => `export const ${name} = ${/^(create|gen)/.test(name ?? '') ? 'later' : 'absent'}`),
    ...(/^export default /m.test(code) ? ['export default absent'] : []),
  ].join('\n')
}

const isUnused = (id: string) => unused.some((part) => part.test(id.replaceAll('\\', '/')))

export const withoutUnused = (): Plugin => ({
  name: 'ithings:without-unused',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]/ },
    handler: (code, id) => (isUnused(id) ? { code: emptied(code), map: null } : undefined),
  },
})
