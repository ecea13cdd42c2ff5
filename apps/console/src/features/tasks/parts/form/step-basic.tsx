import { TaskType, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { RadioCards } from '#kit/radio-cards.tsx'
import { withProduct } from '../../draft/task-draft.ts'
import { FormRow, type StepProps } from './form-row.tsx'

const typeTexts: Record<TaskType, string> = {
  [TaskType.property]: '把一组可写属性设为同样的值',
  [TaskType.action]: '让每台设备执行同一个行为',
  [TaskType.config]: '下发产品远程配置的一个版本',
}
const typeCards = () =>
  Object.values(TaskType).map((value) => ({ value, title: t(taskTypeLabels[value]), text: t(typeTexts[value]) }))

/** @param locked a saved task keeps its product: its model and devices depend on it */
export function StepBasic({ draft, change, faults, locked }: StepProps & { locked: boolean }) {
  return (
    <>
      <FormRow field="taskName" required faults={faults}>
        {(id) => (
          <Input
            id={id}
            maxLength={64}
            showCount
            autoFocus
            placeholder={t('例如：泵站夜间降频')}
            value={draft.taskName}
            onChange={(event) => change({ taskName: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow field="taskType" required faults={faults}>
        <RadioCards
          aria-label={t('任务类型')}
          value={draft.taskType}
          options={typeCards()}
          onChange={(taskType) => change({ taskType })}
        />
      </FormRow>
      <FormRow
        field="productID"
        required
        faults={faults}
        extra={locked ? t('产品决定物模型和设备，创建后不能更换') : t('物模型决定可以下发的属性和行为')}
      >
        {(id) => (
          <ProductPicker
            id={id}
            allowClear={false}
            disabled={locked}
            value={draft.productID || undefined}
            onChange={(productID) => change(withProduct(draft, productID ?? ''))}
          />
        )}
      </FormRow>
      <FormRow field="desc" faults={faults}>
        {(id) => (
          <Input.TextArea
            id={id}
            rows={3}
            maxLength={200}
            showCount
            placeholder={t('为什么做、影响什么，给之后查看的人')}
            value={draft.desc}
            onChange={(event) => change({ desc: event.target.value })}
          />
        )}
      </FormRow>
    </>
  )
}
