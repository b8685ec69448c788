package app

import "rea.example/rea/internal/source"

// Hold gives content that is in no file a private one, to be inspected like any
// other. The file is there until it is released; where that never comes, because
// the process was killed, the next call of anybody removes it.
func Hold(name string, content []byte) (path string, release func(), err error) {
	room, err := source.NewRoom()
	if err != nil {
		return "", nil, err
	}
	release = func() { _ = room.Close() } // what resists is swept later
	if path, err = room.Put(source.HeldPrefix+name, content); err != nil {
		release()
		return "", nil, err
	}
	return path, release, nil
}
