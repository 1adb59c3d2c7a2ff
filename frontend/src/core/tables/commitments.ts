// What the server has promised of tables' luck, as this page was told it before anybody here sat down.

export const commitments = new Map<string, string>(); // by table
