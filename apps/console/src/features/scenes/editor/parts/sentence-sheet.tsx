import type { SentencePart } from '@ithings/contract/rules/sentence.ts'
import { t } from '@ithings/contract/text.ts'
import type { ReactNode } from 'react'
import { Sentence } from '../../parts/scene-rule.tsx'

/** A part of the sentence; dots while there is nothing to say. */
export const SaidSoFar = ({ parts }: { parts: readonly SentencePart[] }) =>
  parts.length > 0 ? <Sentence parts={parts} /> : <span className="disabled-text">{t('……')}</span>

interface SentenceSheetProps {
  children: ReactNode
  below?: ReactNode
  /** It takes its room already. */
  hidden?: boolean
}

/** The whole rule as one sentence, while it is being built; what belongs to it below. */
export const SentenceSheet = ({ children, below, hidden = false }: SentenceSheetProps) => (
  <section className="sheet" style={{ padding: '12px 16px 6px' }} aria-label={t('规则预览')}>
    <p
      className="sentence line-28 bare anywhere softer"
      aria-live="polite"
      style={hidden ? { visibility: 'hidden' } : undefined}
    >
      {children}
    </p>
    {below}
  </section>
)
