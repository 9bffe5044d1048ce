/** A list for wide screens: sticky headings, and placeholders of the rows while loading. */
import type { ReactNode } from "react";
import { Skeleton } from "@/components/skeleton";

const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
/** The column whose heading is visible to screen readers only, and which has no placeholder. */
const ACTIONS = "actions";

interface ListTableProps<Column extends string> {
  label: string;
  /** Columns in their order, each with the class names of its width. */
  widths: Readonly<Record<Column, string>>;
  heading: (column: Column) => string;
  /** Class names of a heading's horizontal padding. */
  padding: string;
  /** Class names of a cell and of its placeholder's height. */
  cell: string;
  height?: string;
  /** The rows; undefined while loading. */
  children: ReactNode[] | undefined;
}

export function ListTable<Column extends string>(props: ListTableProps<Column>) {
  const { label, widths, heading, padding, cell, height = "h-11", children } = props;
  const columns = Object.keys(widths) as Column[];
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm" aria-label={label} aria-busy={!children}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className={`kicker sticky top-(--header-height) z-10 bg-paper ${padding} py-2 shadow-[inset_0_-2px_0_var(--ink)] first:pl-0 last:pr-0 ${widths[column]}`}
            >
              {column === ACTIONS ? <span className="sr-only">{heading(column)}</span> : heading(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {children ??
          SKELETONS.map((key) => (
            <tr key={key} className="border-b border-rule">
              {columns.map((column) => (
                <td key={column} className={`${cell} ${height}`}>
                  {column !== ACTIONS && <Skeleton className="h-5 w-4/5" />}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
