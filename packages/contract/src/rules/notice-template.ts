/** Texts of notices with `${name}` in them. */
const place = /\$\{([A-Za-z]\w*)\}/g

/** A name that is not known stays as it is, so that a typing error can be seen. */
export const fillTemplate = (template: string, variables: Readonly<Record<string, string | undefined>>): string =>
  template.replace(place, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )

/** Whatever stands between `${` and `}` and means nothing, each once: to warn before it is sent. */
export function unknownNames(template: string, known: object): string[] {
  const names = [...template.matchAll(/\$\{([^{}]*)\}/g)].map(([, name = '']) => name)
  return [...new Set(names.filter((name) => !Object.hasOwn(known, name)))]
}
