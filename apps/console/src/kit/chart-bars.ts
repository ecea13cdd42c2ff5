/** What some charts draw beside lines. */
import { BarChart } from 'echarts/charts'
import { MarkPointComponent } from 'echarts/components'
import { use } from './chart-core.ts'

use([BarChart, MarkPointComponent])
