import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { deviceModelQuery } from '#blocks/device/queries.ts'
import { productPath } from '#kit/paths.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'

interface ModelGateProps {
  productID: string
  /** What stands there while the model defines nothing that the tab shows. */
  empty?: { title: string; text: string; of: (model: ThingModel) => readonly unknown[] }
  children: (model: ThingModel) => ReactNode
}

/** What is drawn by the thing model waits for it. */
export function ModelGate({ productID, empty, children }: ModelGateProps) {
  const model = useQuery(deviceModelQuery(productID))
  return (
    <Loaded query={model} subject={t('物模型')}>
      {(known) =>
        empty && empty.of(known).length === 0 ? (
          <StateBlock
            variant="empty"
            title={empty.title}
            text={empty.text}
            action={<Link to={productPath(productID, 'model')}>{t('去定义物模型')}</Link>}
          />
        ) : (
          children(known)
        )
      }
    </Loaded>
  )
}
