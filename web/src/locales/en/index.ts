/** All English texts, one object a file; those of mails are the server’s alone. */
const files = import.meta.glob<{ default: object }>(["./*.json", "!./mail.json"], { eager: true });

export default Object.fromEntries(Object.entries(files).map(([path, file]) => [path.slice(2, -5), file.default]));
