import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { PropertySelect } from '../model-form/command-selects.tsx'
import { writableOf } from '../model-form/command-text.ts'
import { ParamsForm } from '../model-form/params-form.tsx'
import type { ValueIssues } from '../model-form/value-issues.ts'
import { type PropertyDraft, type Values, withChosen, withReported } from './changes.ts'

interface PropertyFieldsProps {
  model: ThingModel
  draft: PropertyDraft
  onChange: (change: (before: PropertyDraft) => PropertyDraft) => void
  reported: () => Promise<Values>
  issues?: ValueIssues | undefined
  disabled?: boolean
}

/** Chosen properties by the form of the model, beginning with what the device reported. */
export function PropertyFields({ model, draft, onChange, reported, issues, disabled }: PropertyFieldsProps) {
  const chosen = Object.keys(draft.values)
  const params = writableOf(model).filter(({ identifier }) => chosen.includes(identifier))
  const choose = async (identifiers: string[]) => {
    onChange((before) => withChosen(before, identifiers))
    const known = await reported()
    onChange((before) => withReported(before, known))
  }
  return (
    <>
      <PropertySelect model={model} value={chosen} disabled={disabled} onChange={(ids) => void choose(ids)} />
      {params.length > 0 && (
        <>
          <ParamsForm
            params={params}
            values={draft.values}
            // What is emptied stays chosen.
            onChange={(values) => onChange((before) => withChosen({ ...before, values }, chosen))}
            disabled={disabled}
            {...(issues && { issues })}
          />
          <p className="meta bare">{t('填入的是设备当前的值，只下发改过的属性。')}</p>
        </>
      )}
    </>
  )
}
