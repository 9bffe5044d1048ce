/** All English texts, one object a file. */
const files = import.meta.glob<{ default: object }>("./*.json", { eager: true });

export default Object.fromEntries(Object.entries(files).map(([path, file]) => [path.slice(2, -5), file.default]));
