import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import type { ListPageProps, RowAction } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { ActButton } from '#kit/rights.tsx'

export interface DeviceAct<T> {
  key: 'retry' | 'cancel'
  /** What it calls for one row, and for ticked ones. */
  needs: Endpoint
  ofMany: Endpoint
  fits: (row: T) => boolean
  /** Asks where it has to. `clear` unticks the rows once it is done; undefined: of a single row. */
  run: (rows: readonly T[], clear?: () => void) => void
}

const words = { retry: '重试', cancel: '取消' } as const
const ofSelected = { retry: '重试选中', cancel: '取消选中' } as const

/** 设备「x」 or 3 台设备, as the object of a question. */
export const whom = (names: readonly string[], count = names.length): string =>
  count === 1 && names[0] !== undefined
    ? t('设备「{name}」', { name: names[0] })
    : t(' {count, number} 台设备', { count })

/**
 * What can be done to the devices of a run, one by one and many together; each act only where it fits.
 * @param more further acts of a row, before and behind them
 */
export const deviceActs = <T extends object>(
  acts: readonly DeviceAct<T>[],
  more: (row: T) => { before?: RowAction[]; behind?: RowAction[] },
): Required<Pick<ListPageProps<T, unknown>, 'rowActions' | 'selection'>> => ({
  rowActions: (row) => {
    const { before = [], behind = [] } = more(row)
    const own = acts
      .filter(({ fits }) => fits(row))
      .map(({ key, needs, run }) => ({ key, label: t(words[key]), needs, onClick: () => run([row]) }))
    return [...before, ...own, ...behind]
  },
  selection: {
    unit: t('台'),
    needs: acts.map(({ ofMany }) => ofMany),
    actions: (rows, clear) =>
      acts.map(({ key, ofMany, fits, run }) => {
        const fitting = rows.filter(fits)
        return (
          <ActButton
            key={key}
            needs={ofMany}
            type="text"
            disabled={fitting.length === 0}
            onClick={() => run(fitting, clear)}
          >
            {t(ofSelected[key])} {fitting.length > 0 && numberText(fitting.length)}
          </ActButton>
        )
      }),
  },
})
