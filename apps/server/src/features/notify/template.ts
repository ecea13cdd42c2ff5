/** Texts with `${name}` in them; a name that is not known stays as it is, so that a typing error can be seen. */
export function fillTemplate(template: string, variables: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\$\{([A-Za-z]\w*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )
}
