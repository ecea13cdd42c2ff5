import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type HelpPage, helpPath } from '#blocks/help-link.tsx'
import type { Section } from '../markdown/sections.ts'

/** The heading that was passed last while reading. */
function useReading(slugs: string): string {
  const [reading, setReading] = useState('')
  useEffect(() => {
    const headings = slugs.split('\n').flatMap((slug) => document.getElementById(slug) ?? [])
    const look = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 96)
      setReading((passed.at(-1) ?? headings[0])?.id ?? '')
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [slugs])
  return reading
}

export function Contents({ page, sections }: { page: HelpPage; sections: readonly Section[] }) {
  const listed = sections.filter(({ level }) => level === 2 || level === 3)
  const reading = useReading(listed.map(({ slug }) => slug).join('\n'))
  return (
    <nav className="column" aria-label="目录">
      {listed.map(({ level, slug, title }) => (
        <Link
          key={slug}
          to={helpPath(page, slug)}
          className={level === 3 ? 'help-entry help-entry-inner' : 'help-entry'}
          aria-current={slug === reading ? 'location' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
