/** Code that may be wider than its place: with the focus, the arrow keys move it. */
export function CodeBlock({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Nothing inside takes the focus.
    <pre className="mono-payload" tabIndex={0}>
      {children}
    </pre>
  )
}
