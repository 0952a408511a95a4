//! The file format of Syzygy tables: headers, the encoding of positions, compressed values.

pub(crate) mod encoding;
pub(crate) mod pairs;
pub(crate) mod reader;
pub(crate) mod source;
pub(crate) mod table;
