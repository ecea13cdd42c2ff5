import type { Language } from '@ithings/contract/text.ts'
import { languages } from '#language/language.ts'

interface LanguageButtonProps {
  className: string
  language: Language
  onChoose: (language: Language) => void
}

/** Says in the other language that it can be had: who cannot read this one finds it. */
export function LanguageButton({ className, language, onChoose }: LanguageButtonProps) {
  const other = language === 'zh' ? 'en' : 'zh'
  return (
    <button type="button" className={`plain-button ${className}`} lang={other} onClick={() => onChoose(other)}>
      {languages[other]}
    </button>
  )
}
